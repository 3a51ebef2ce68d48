package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/internal/access/audit"
	"kith/internal/access/auth"
	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func entries(t *testing.T, db *postgres.DB, f audit.Filter) []audit.Entry {
	t.Helper()
	var all []audit.Entry
	err := db.Audit().Each(t.Context(), f, func(e audit.Entry) error { all = append(all, e); return nil })
	expect.NoError(t, err)
	return all
}

// Actions on credentials, users and people are recorded in order, including concurrent ones.
func TestAuditRecordsEveryAction(t *testing.T) {
	db := pgtest.NewDataset(t)
	svc := auth.New(db.Auth(), auth.Config{})
	app, _, err := svc.CreateApp(t.Context(), "acme")
	expect.NoError(t, err)
	id, _, err := svc.Rotate(t.Context(), kith.OperatorPrincipal(), app, 1, 0)
	expect.NoError(t, err)
	var all errgroup.Group
	for i := range 20 {
		all.Go(func() error {
			user := fmt.Sprintf("u%d", i)
			issued, err := svc.Issue(context.WithoutCancel(t.Context()), app,
				auth.Identity{ExternalID: user, Email: user + "@example.com"})
			if err != nil {
				return err
			}
			return svc.Revoke(context.WithoutCancel(t.Context()), issued.Token, false)
		})
	}
	expect.NoError(t, all.Wait())
	expect.NoError(t, svc.SetDisabled(t.Context(), kith.OperatorPrincipal(), app, "u1", true))
	expect.NoError(t, svc.RevokeKey(t.Context(), kith.OperatorPrincipal(), app, id))
	if _, err := forget(t.Context(), db, "https://social.example/in/jane-doe"); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, e := range entries(t, db, audit.Filter{}) {
		got[e.Action]++
		by := "operator"
		if e.Action == "token.revoked" {
			by = e.Subject // users revoke their own tokens
		}
		if strings.Contains(fmt.Sprintf("%+v %s", e, e.Detail), "jane") || e.Actor != by {
			t.Errorf("the entry names a person, or has the wrong actor: %+v", e)
		}
	}
	want := map[string]int{
		"app.created": 1, "key.rotated": 1, "token.issued": 20, "token.revoked": 20, "user.disabled": 1,
		"key.revoked": 1, "person.erased": 1,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := len(entries(t, db, audit.Filter{Action: "token.", After: 2})); n != 40 {
		t.Errorf("%d entries about tokens, want 40", n)
	}
	head, err := audit.Verify(t.Context(), db.Audit(), "")
	if err != nil || head.Seq != 45 {
		t.Errorf("the audit ends at %+v, %v, want entry 45", head, err)
	}
}

// Every change of the entries is detected, even by a superuser of the database.
func TestAuditDetectsTampering(t *testing.T) {
	for name, change := range map[string]string{
		"changed":              "update audit set actor = 'somebody' where seq = 2",
		"entry 2 is missing":   "delete from audit where seq = 2",
		"does not follow":      "update audit set prev = sha256('x') where seq = 2",
		"cut short":            "delete from audit where seq = 4",
		"entries of the audit": "",
	} {
		t.Run(name, func(t *testing.T) {
			db := pgtest.NewDataset(t)
			svc := auth.New(db.Auth(), auth.Config{})
			for i := range 4 {
				if _, _, err := svc.CreateApp(t.Context(), fmt.Sprint("app ", i)); err != nil {
					t.Fatal(err)
				}
			}
			head, err := audit.Verify(t.Context(), db.Audit(), "")
			expect.NoError(t, err)
			if change == "" {
				for _, sql := range []string{"update audit set actor = ''", "delete from audit", "truncate audit"} {
					if _, err := db.Pool().Exec(t.Context(), sql); err == nil || !strings.Contains(err.Error(), name) {
						t.Errorf("%s: %v", sql, err)
					}
				}
				return
			}
			pgtest.Exec(t, db, "alter table audit disable trigger audit_kept")
			pgtest.Exec(t, db, change)
			if _, err := audit.Verify(t.Context(), db.Audit(), head.Hash); err == nil || !strings.Contains(err.Error(),
				name) {
				t.Errorf("got %v", err)
			}
		})
	}
}
