package outreach_test

import (
	"errors"
	"testing"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/outreach"
	"kith/internal/record/indexer"
)

// A deletion of people, or a load of the sequence, waits for a change of a lead. Neither fails because of the other.
func TestLeadChangesBlockDeletionsAndLoads(t *testing.T) {
	for name, c := range map[string]struct {
		other func(*testing.T, dataset) error
		want  outreach.Counts
	}{
		"people are deleted": {func(t *testing.T, d dataset) error {
			t.Helper()
			_, err := indexer.NewKeeper(d.db).Delete(t.Context(), "1", "2")
			return err
		}, outreach.Counts{}},
		"the sequence is loaded": {func(t *testing.T, d dataset) error {
			t.Helper()
			_, err := d.PutSequence(t.Context(),
				loader.Sequence{
					App: "acme", ExternalUserID: "u1", Name: "Q3", Status: "paused",
					Leads: []loader.SequenceLead{
						{SocialURL: "https://social.example/in/p1", Status: "active"},
						{SocialURL: "https://social.example/in/p2", Status: "active"},
					},
				})
			return err
		}, outreach.Counts{Leads: 2, ActiveLeads: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDataset(t, 3)
			id, leads := d.sequence(t, "Q3", 1, 2)
			err := d.during(t, "select from leads where id = $1 for no key update",
				"update leads set status = 'active' where id = $1", leads[1], func() error { return c.other(t, d) })
			if err != nil {
				t.Errorf("the deletion or load: %v", err)
			}
			if s, err := d.Sequence(t.Context(), d.user, id); err != nil || s.Counts != c.want {
				t.Errorf("the sequence counts %+v, %v, want %+v", s.Counts, err, c.want)
			}
		})
	}
}

// A name that another sequence takes at the same moment is a conflict like any other.
func TestConcurrentRenamesConflict(t *testing.T) {
	d := newDataset(t, 0)
	id, _ := d.sequence(t, "Q3")
	err := d.during(t, "insert into sequences (user_id, name, description, status, instructions, templates, "+
		"created_at) "+"values ($1, 'Q4', '', 'draft', '', '[]', now())", "", d.user, func() error {
		_, err := d.ChangeSequence(t.Context(), d.user, id, "test", func(s *outreach.Sequence) error {
			s.Name = "Q4"
			return nil
		})
		return err
	})
	if e, ok := errors.AsType[*kith.Error](err); !ok || e.Code != "SEQUENCE_EXISTS" {
		t.Errorf("the error is %v", err)
	}
}
