package outreach_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kith/internal/outreach"
	"kith/internal/postgres"
	outreachsql "kith/internal/postgres/outreach"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// dataset is a store over a real database with people p1, p2, … and user u1 of app acme.
type dataset struct {
	*outreachsql.Store
	db   *postgres.DB
	user int64
}

func newDataset(t *testing.T, people int) dataset {
	t.Helper()
	db := pgtest.NewDataset(t)
	var lines strings.Builder
	for i := range people {
		fmt.Fprintf(&lines, `{"id":%d,"full_name":"P","social_url":"https://social.example/in/p%[1]d"}`+"\n", i+1)
	}
	pgtest.Load(t, db, record.People, lines.String())
	user := pgtest.User(t, db, pgtest.App(t, db, "acme"), "u1", "u1@acme.example")
	return dataset{db.Outreach(), db, user.UserID}
}

// sequence makes an active sequence, and returns its id and those of its leads.
func (d dataset) sequence(t *testing.T, name string, people ...int64) (id int64, leads []int64) {
	t.Helper()
	s, err := d.CreateSequence(t.Context(), d.user,
		outreach.Sequence{Name: name, Status: outreach.SequenceActive, CreatedAt: time.Now()}, "test")
	expect.NoError(t, err)
	wanted := make([]outreach.NewLead, len(people))
	for i, p := range people {
		wanted[i].PersonID = p
	}
	added, err := d.AddLeads(t.Context(), d.user, s.ID, "test", wanted,
		func(outreach.Standing) *outreach.Refusal { return nil })
	expect.NoError(t, err)
	for _, a := range added {
		leads = append(leads, a.Lead.ID)
	}
	return s.ID, leads
}

// during runs other while a transaction holds the locks of a statement. When other waits, the transaction makes a
// change, if any, and commits. It returns the error of other.
func (d dataset) during(t *testing.T, lock, change string, arg int64, other func() error) error {
	t.Helper()
	tx, err := d.db.Pool().Begin(t.Context())
	expect.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }() // it is committed below
	if _, err := tx.Exec(t.Context(), lock, arg); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- other() }()
	pgtest.AwaitBlocked(t, d.db)
	if change != "" {
		if _, err := tx.Exec(t.Context(), change, arg); err != nil {
			t.Fatal(err)
		}
	}
	expect.NoError(t, tx.Commit(t.Context()))
	return <-done
}
