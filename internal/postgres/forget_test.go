package postgres_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/access/keys"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/cursor"
)

// forget erases a person at once.
func forget(ctx context.Context, db *postgres.DB, identifier string) (privacy.Result, error) {
	return db.Privacy(nil).Erase(ctx, identifier, privacy.Order{Actor: "operator", By: kith.OperatorPrincipal()})
}

// A small pool must be enough for many concurrent requests: none may wait for a connection that another one holds.
func TestConcurrentErasuresAndExportsNeedFewConnections(t *testing.T) {
	const people, conns = 24, 4
	db := pgtest.Dataset(t, pgtest.MigratedURL(t), postgres.Options{MaxConns: conns})
	lines := make([]string, people)
	for i := range lines {
		lines[i] = person(fmt.Sprintf("P%d", i), "")
	}
	pgtest.Load(t, db, record.People, lines...)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var all errgroup.Group
	for i := range people {
		all.Go(func() error {
			profile := fmt.Sprintf("https://social.example/in/p%d", i)
			if _, err := db.Privacy(nil).Export(ctx, profile, kith.OperatorPrincipal()); err != nil {
				return err
			}
			got, err := forget(ctx, db, profile)
			if err == nil && got.Status != privacy.Forgotten {
				err = fmt.Errorf("%s: %+v", profile, got)
			}
			return err
		})
	}
	expect.NoError(t, all.Wait())
}

// An export works while another transaction writes the person.
func TestExportDoesNotWaitForWriters(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	pgtest.Load(t, db, record.People, person("Ann", ""))
	tx, err := connect(t, url).Begin(t.Context())
	expect.NoError(t, err)
	_, err = tx.Exec(t.Context(), "update kith.people set updated_at = now()")
	expect.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	d, err := db.Privacy(nil).Export(ctx, "https://social.example/in/ann", kith.OperatorPrincipal())
	if err != nil || !strings.Contains(string(d.Sections["record"]), "Ann") {
		t.Errorf("the export has the record %s, %v", d.Sections["record"], err)
	}
}

func TestWaitingWritersLeaveConnectionsToReaders(t *testing.T) {
	const conns = 4
	db := pgtest.Dataset(t, pgtest.MigratedURL(t), postgres.Options{MaxConns: conns})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var all errgroup.Group
	expect.NoError(t, db.Write(ctx, record.ForEveryone(), func(ctx context.Context, _ record.Tx) error {
		started := make(chan struct{})
		for i := range 3 * conns {
			all.Go(func() error {
				started <- struct{}{}
				_, err := forget(ctx, db, fmt.Sprintf("p%d@example.com", i))
				return err
			})
			<-started
		}
		for range 100 {
			if err := db.Ping(ctx); err != nil {
				return err
			}
		}
		return nil
	}))
	expect.NoError(t, all.Wait())
}

// A person is erased while users import the person and add them as leads. Nothing of the person
// stays, and no transaction fails because of another.
func TestErasureDuringImportsIsComplete(t *testing.T) {
	const people = 40
	db := pgtest.NewDataset(t)
	lines, profiles := make([]string, people), make([]string, people)
	for i := range people {
		lines[i], profiles[i] = person(fmt.Sprintf("P%d", i), ""), fmt.Sprintf("https://social.example/in/p%d", i)
	}
	pgtest.Load(t, db, record.People, lines...)
	user, ctx := firstUser(t, db), t.Context()
	s, err := db.Outreach().CreateSequence(ctx, user, outreach.Sequence{
		Name:   "Q3",
		Status: outreach.SequenceActive,
	}, "test")
	expect.NoError(t, err)
	everyone := func(outreach.Standing) *outreach.Refusal { return nil }
	name := func(profile string) error {
		_, err := db.Network().Import(ctx, kith.Actor{UserID: user}, []network.Entry{{Identifier: profile, Score: 5}})
		if err == nil {
			_, err = db.Outreach().AddLeads(ctx, user, s.ID, "test", []outreach.NewLead{{Identifier: profile}},
				everyone)
		}
		return err
	}
	for _, profile := range profiles {
		expect.NoError(t, name(profile))
		var all errgroup.Group
		all.Go(func() error { _, err := forget(ctx, db, profile); return err })
		for range 4 {
			all.Go(func() error { return name(profile) })
		}
		expect.NoError(t, all.Wait())
	}
	summary, err := db.Network().Summary(ctx, user)
	expect.NoError(t, err)
	left, err := db.Outreach().Leads(ctx, user, s.ID, outreach.LeadQuery{Page: outreach.Page{N: people}})
	if err != nil || len(left) > 0 || summary.Relationships > 0 {
		t.Errorf("%d leads and %d relationships are left, %v", len(left), summary.Relationships, err)
	}
}

// firstUser makes an app with a user.
func firstUser(t *testing.T, db *postgres.DB) int64 {
	t.Helper()
	svc := auth.New(db.Auth(), auth.Config{})
	app, _, err := svc.CreateApp(t.Context(), "acme")
	expect.NoError(t, err)
	issued, err := svc.Issue(t.Context(), app, auth.Identity{ExternalID: "u1", Email: "u1@acme.example"})
	expect.NoError(t, err)
	actor, err := svc.Verify(t.Context(), issued.Token)
	expect.NoError(t, err)
	return actor.UserID
}

// Without the key that identifies erased people, nothing is stored that might be one of them.
func TestMissingSuppressionKeyStopsImports(t *testing.T) {
	db := pgtest.NewDataset(t)
	const profile = "https://social.example/in/p1"
	if _, err := forget(t.Context(), db, profile); err != nil {
		t.Fatal(err)
	}
	expect.NoError(t, db.UseKeys(keys.Ring{}))
	for name, do := range map[string]func() error{
		"load": func() error {
			_, err := loader.New(db).File(t.Context(), record.ForEveryone(), "-", loader.Options{
				Kind: record.People, Stdin: strings.NewReader(person("P1", "")), Rejects: filepath.Join(t.TempDir(),
					"r"),
			})
			return err
		},
		"look up": func() error { _, err := db.Suppressed(t.Context(), []string{"social.example/in/p1"}); return err },
		"forget":  func() error { _, err := forget(t.Context(), db, profile); return err },
		"export": func() error {
			_, err := db.Privacy(nil).Export(t.Context(), profile, kith.OperatorPrincipal())
			return err
		},
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "no suppression key") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if ids := identify(t, db, profile); len(ids) > 0 {
		t.Error("the erased person is back")
	}
}

// An address that is also another person's stays that person's: neither they nor their e-mails are erased with it.
func TestErasureSparesOthersWithTheAddress(t *testing.T) {
	db := pgtest.NewDataset(t)
	tom := `,"email":"tom@x.example","emails":["tom@x.example","shared@x.example"],"headline":%q`
	pgtest.Load(t, db, record.People, person("Jane", `,"email":"shared@x.example"`),
		person("Tom", fmt.Sprintf(tom, "")))
	user, ctx := firstUser(t, db), t.Context()
	s, err := db.Outreach().CreateSequence(ctx, user, outreach.Sequence{
		Name: "Q3", Status: outreach.SequenceActive,
	}, "test")
	expect.NoError(t, err)
	_, err = db.Outreach().AddLeads(ctx, user, s.ID, "test", []outreach.NewLead{{Identifier: "tom@x.example"}},
		func(outreach.Standing) *outreach.Refusal { return nil })
	expect.NoError(t, err)
	pgtest.Exec(t, db, `insert into emails (user_id, sequence_id, lead_id, status, subject, from_address, to_address,
		created_at) select user_id, sequence_id, id, 'sent', '', '', 'Shared@x.example', now() from leads`)
	_, err = forget(ctx, db, "https://social.example/in/jane")
	expect.NoError(t, err)
	var emails int
	expect.NoError(t, db.Pool().QueryRow(ctx, "select count(*) from emails").Scan(&emails))
	stats := pgtest.Load(t, db, record.People, person("Tom", fmt.Sprintf(tom, "CTO")))
	if emails != 1 || stats.Changed != 1 {
		t.Errorf("%d e-mails to Tom are left, and his load ends with %s", emails, stats)
	}
}

// The limit of an app counts what other requests erased after this one began.
func TestErasuresBeyondTheLimitFail(t *testing.T) {
	db := pgtest.NewDataset(t)
	vault, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(t, err)
	app := pgtest.App(t, db, "acme").ID
	now := time.Now()
	order := privacy.Order{
		Actor: "app acme", By: kith.Principal{Name: "app acme, key first", App: app},
		FinalAt: now.Add(privacy.Grace), LimitedSince: now.Add(-24 * time.Hour),
	}
	pgtest.Exec(t, db, `insert into erasures (actor, app_id, marks, added, final_at)
		select '', $1, '{}', '{}', now() from generate_series(2, $2)`, app, privacy.PerDay)
	for _, want := range []string{"", privacy.CodeLimit} {
		got, err := db.Privacy(vault).Erase(t.Context(), "nobody@x.example", order)
		expect.NoError(t, err)
		expect.Values(t, "code", []any{got.Code}, want)
	}
}
