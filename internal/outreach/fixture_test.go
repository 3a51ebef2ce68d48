package outreach_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// dataset is a real database with some people, and the service over it.
type dataset struct {
	db  *postgres.DB
	svc *outreach.Service
	app auth.App
}

// newDataset has people numbered from 1; the last has no e-mail address.
func newDataset(t testing.TB, people int) *dataset {
	t.Helper()
	d, _ := newDatasetAt(t, people)
	return d
}

// newDatasetAt also returns the address of the database.
func newDatasetAt(t testing.TB, people int) (*dataset, string) {
	t.Helper()
	dsn := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, dsn, postgres.Options{})
	d := &dataset{db: db, svc: outreach.New(outreach.Config{
		Store: db.Outreach(), People: db,
	})}
	var lines strings.Builder
	for i := 1; i <= people; i++ {
		email := fmt.Sprintf("p%d@example.com", i)
		if i == people {
			email = ""
		}
		fmt.Fprintf(&lines, `{"id":%d,"full_name":"Person %d","first_name":"Person%d",`+
			`"social_url":"https://social.example/in/p%d","email":%q,`+
			`"work_relevant":{"title":"Engineer","company":{"name":"Initech","domain":"initech.example"},`+
			`"start_date":"2020-01-01"}}`+"\n", i, i, i, i, email)
	}
	pgtest.Load(t, db, record.People, lines.String())
	d.app = pgtest.App(t, db, "acme")
	return d, dsn
}

func (d *dataset) user(t testing.TB, id string) kith.Actor {
	t.Helper()
	return pgtest.User(t, d.db, d.app, id, id+"@acme.example")
}

// sequence makes an active sequence with the people as leads, and returns it with the ids of the leads.
func (d *dataset) sequence(t testing.TB, a kith.Actor, name string, people ...int64) (outreach.Sequence, []int64) {
	t.Helper()
	active := outreach.SequenceActive
	s, err := d.svc.Create(t.Context(), a, outreach.SequenceChange{Name: &name, Status: &active})
	expect.NoError(t, err)
	var leads []int64
	for i, r := range d.add(t, a, s.ID, people...) {
		if r.Lead == nil {
			t.Fatalf("person %d: %+v", people[i], r.Refusal)
		}
		leads = append(leads, r.Lead.ID)
	}
	return s, leads
}

func (d *dataset) add(t testing.TB, a kith.Actor, sequence int64, people ...int64) []outreach.AddedLead {
	t.Helper()
	wanted := make([]outreach.NewLead, len(people))
	for i, p := range people {
		wanted[i].PersonID = p
	}
	if len(wanted) == 0 {
		return nil
	}
	added, err := d.svc.AddLeads(t.Context(), a, sequence, wanted)
	expect.NoError(t, err)
	return added
}

func (d *dataset) draft(t testing.TB, a kith.Actor, sequence, lead int64) outreach.Activity {
	t.Helper()
	drafted, err := d.svc.Draft(t.Context(), a, sequence, lead, hello())
	expect.NoError(t, err)
	return drafted.Activity
}

// recounted compares the counts of every sequence with a recount.
func recounted(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	rows, err := pool.Query(t.Context(), `select s.name,
			array[s.leads, s.active_leads, s.sent, s.opened, s.replied, s.clicked, s.forwarded]::text,
			array[(select count(*) from leads l where l.sequence_id = s.id and status <> 'deleted'),
				(select count(*) from leads l where l.sequence_id = s.id and status = 'active'),
				count(e.id), count(e.opened_at), count(e.replied_at), count(e.clicked_at), count(e.forwarded_at)]::text
		from sequences s left join emails e on e.sequence_id = s.id and e.status = 'sent' group by s.user_id, s.id`)
	expect.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name, kept, counted string
		expect.NoError(t, rows.Scan(&name, &kept, &counted))
		if kept != counted {
			t.Errorf("%s: stored counts %s, recounted %s", name, kept, counted)
		}
	}
	expect.NoError(t, rows.Err())
}

// suppress stores that a recipient of a user's e-mail unsubscribed.
func suppress(t testing.TB, db *postgres.DB, a kith.Actor, address string) {
	t.Helper()
	pgtest.Exec(t, db, "insert into suppressions (app_id, user_id, address, reason) values ($1, $2, $3, "+
		"'unsubscribed')", a.AppID, a.UserID, address)
}

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	e, ok := errors.AsType[*kith.Error](err)
	if !ok || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func wantField(t testing.TB, err error, field, code string) {
	t.Helper()
	e, ok := errors.AsType[*kith.Error](err)
	if ok {
		for _, f := range e.Fields {
			if f.Field == field && f.Code == code {
				return
			}
		}
	}
	t.Errorf("got %v, want %s %s", err, field, code)
}
