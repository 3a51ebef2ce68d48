package outreach_test

import (
	"testing"

	"kith/internal/indexer"
	"kith/internal/loader"
	"kith/internal/postgres/outreachdb"
)

// A deletion of people, or a load of the sequence, waits for a change of a lead. Neither fails because of the
// other.
func TestLeadChangesBlockDeletionsAndLoads(t *testing.T) {
	for name, other := range map[string]func(*testing.T, *dataset) error{
		"people are deleted": func(t *testing.T, d *dataset) error {
			t.Helper()
			_, err := indexer.NewKeeper(d.db).Delete(t.Context(), "1", "2")
			return err
		},
		"the sequence is loaded": func(t *testing.T, d *dataset) error {
			t.Helper()
			_, err := outreachdb.New(d.db).PutSequence(t.Context(),
				loader.Sequence{App: "acme", ExternalUserID: "u1", Name: "Q3", Status: "paused", Leads: []loader.SequenceLead{
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
			defer tx.Rollback(t.Context()) //nolint:errcheck // the test commits it
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
				t.Errorf("the change of the lead: %v", err)
			}
			if err := tx.Commit(t.Context()); err != nil {
				t.Errorf("the commit of the change: %v", err)
			}
			if err := <-done; err != nil {
				t.Errorf("the deletion or load: %v", err)
			}
			recounted(t, d.db.Pool())
		})
	}
}
