package outreach_test

import (
	"testing"

	"kith/index/load"
	"kith/internal/postgres/outreachdb"
)

// Whoever changes a lead while others delete its person, or load its sequence, is
// waited for: neither is broken off for the other.
func TestLeadsChangeWhileTheirSequenceDoes(t *testing.T) {
	for name, other := range map[string]func(*testing.T, *dataset) error{
		"people are deleted": func(t *testing.T, d *dataset) error {
			t.Helper()
			_, err := load.NewKeeper(d.db).Delete(t.Context(), "1", "2")
			return err
		},
		"it is loaded": func(t *testing.T, d *dataset) error {
			t.Helper()
			_, err := outreachdb.New(d.db).PutSequence(t.Context(),
				load.Sequence{App: "acme", ExternalUserID: "u1", Name: "Q3", Status: "paused", Leads: []load.SequenceLead{
					{SocialURL: "https://social.example/in/p1", Status: "active"},
					{SocialURL: "https://social.example/in/p2", Status: "active"},
				}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDataset(t, 3)
			_, leads := d.sequence(t, d.user(t, "u1"), "Q3", 1, 2)
			tx, err := d.db.Pool().Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback(t.Context()) //nolint:errcheck // it was committed already
			if _, err := tx.Exec(t.Context(), "select from leads where id = $1 for no key update", leads[1]); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- other(t, d) }()
			for waits := false; !waits; {
				if err := d.db.Pool().QueryRow(t.Context(),
					"select exists (select from pg_locks where not granted)").Scan(&waits); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := tx.Exec(t.Context(), "update leads set status = 'active' where id = $1", leads[1]); err != nil {
				t.Errorf("whoever changes the lead: %v", err)
			}
			if err := tx.Commit(t.Context()); err != nil {
				t.Errorf("whoever changes the lead: %v", err)
			}
			if err := <-done; err != nil {
				t.Errorf("the other: %v", err)
			}
			recounted(t, d.db.Pool())
		})
	}
}
