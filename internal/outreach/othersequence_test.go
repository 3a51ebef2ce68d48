package outreach_test

import (
	"strings"
	"sync"
	"testing"

	"kith"
	"kith/internal/outreach"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// planned makes a draft of a sequence with people as leads.
func (d *dataset) planned(t *testing.T, a kith.Actor, name string, people ...int64) outreach.Sequence {
	t.Helper()
	s, err := d.svc.Create(t.Context(), a, outreach.SequenceChange{Name: &name})
	expect.NoError(t, err)
	d.add(t, a, s.ID, people...)
	return s
}

func (d *dataset) activate(t *testing.T, a kith.Actor, sequence int64) error {
	t.Helper()
	active := outreach.SequenceActive
	_, err := d.svc.Change(t.Context(), a, sequence, outreach.SequenceChange{Status: &active})
	return err
}

// A person in two draft sequences gets e-mails from only one of them.
func TestNobodyIsInTwoActiveSequences(t *testing.T) {
	d := newDataset(t, 5)
	a := d.user(t, "u1")
	first, second := d.planned(t, a, "First", 1, 2, 3), d.planned(t, a, "Second", 2, 3, 4)
	expect.NoError(t, d.activate(t, a, first.ID))
	err := d.activate(t, a, second.ID)
	wantCode(t, err, "LEADS_IN_ANOTHER_SEQUENCE")
	if err == nil || !strings.Contains(err.Error(), "2 of its leads") {
		t.Errorf("the error does not count the leads: %v", err)
	}
	if s, err := d.svc.Sequence(t.Context(), a, second.ID); err != nil || s.Status != outreach.SequenceDraft {
		t.Errorf("status of the second sequence: %s, %v", s.Status, err)
	}
	// An active sequence can still be changed. The draft can become active once its leads are finished elsewhere.
	name := "The first"
	if _, err := d.svc.Change(t.Context(), a, first.ID, outreach.SequenceChange{Name: &name}); err != nil {
		t.Error(err)
	}
	leads, _, err := d.svc.Leads(t.Context(), a, first.ID, outreach.LeadQuery{Page: outreach.Page{N: 10}})
	expect.NoError(t, err)
	finished := outreach.LeadFinished
	for _, l := range leads[1:] {
		if _, err := d.svc.ChangeLead(t.Context(), a, first.ID, l.ID,
			outreach.LeadChange{Status: &finished}); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.activate(t, a, second.ID); err != nil {
		t.Errorf("after the leads were finished: %v", err)
	}
	// Sequences of other users do not conflict.
	if err := d.activate(t, d.user(t, "u2"), d.planned(t, d.user(t, "u2"), "Theirs", 2, 3).ID); err != nil {
		t.Error(err)
	}
}

// Of two draft sequences that are activated at once, only one becomes active.
func TestOneOfTwoSequencesBecomesActive(t *testing.T) {
	d := newDataset(t, 3)
	a := d.user(t, "u1")
	for range 5 {
		drafts := []outreach.Sequence{d.planned(t, a, "A", 1), d.planned(t, a, "B", 1)}
		errs := make([]error, len(drafts))
		var both sync.WaitGroup
		for i, s := range drafts {
			both.Go(func() { errs[i] = d.activate(t, a, s.ID) })
		}
		both.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Errorf("exactly one activation must fail: %v, %v", errs[0], errs[1])
		}
		pgtest.Exec(t, d.db, "delete from sequences")
	}
}
