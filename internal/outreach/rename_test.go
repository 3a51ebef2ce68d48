package outreach_test

import (
	"testing"

	"kith/internal/outreach"
)

// A name that another sequence takes at the same moment is a conflict like any other.
func TestConcurrentRenamesConflict(t *testing.T) {
	d := newDataset(t, 1)
	a := d.user(t, "u1")
	s, _ := d.sequence(t, a, "Q3")
	tx, err := d.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context()) //nolint:errcheck // the test commits it
	if _, err := tx.Exec(t.Context(), "insert into sequences (user_id, name, description, status, instructions, "+
		"templates, created_at) values ($1, 'Q4', '', 'draft', '', '[]', now())", a.UserID); err != nil {
		t.Fatal(err)
	}
	renamed := make(chan error, 1)
	go func() {
		name := "Q4"
		_, err := d.svc.Change(t.Context(), a, s.ID, outreach.SequenceChange{Name: &name})
		renamed <- err
	}()
	for waits := false; !waits; {
		if err := d.db.Pool().QueryRow(t.Context(),
			"select exists (select from pg_locks where not granted)").Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantCode(t, <-renamed, "SEQUENCE_EXISTS")
}
