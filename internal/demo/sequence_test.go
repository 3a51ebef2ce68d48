package demo_test

import (
	"testing"
	"time"

	"kith/internal/demo"
	"kith/internal/outreach"
	"kith/internal/test/expect"
)

// The demo shows every state, and has drafts to decide on.
func TestSequencesShowEveryState(t *testing.T) {
	d, err := demo.New(demo.Default())
	expect.NoError(t, err)
	sequences, err := d.Sequences(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	if err != nil || len(sequences) != 3 {
		t.Fatal(len(sequences), err)
	}
	leads, emails := map[outreach.LeadStatus]bool{}, map[outreach.EmailStatus]bool{}
	decisions := map[outreach.Decision]bool{}
	people := map[int64]bool{}
	for _, s := range sequences {
		s.Fill(time.Now())
		if problems := s.Check(); len(problems) > 0 {
			t.Error(problems)
		}
		for _, l := range s.Leads {
			leads[l.Lead.Status] = true
			if people[l.Lead.PersonID] {
				t.Errorf("person %d is a lead twice", l.Lead.PersonID)
			}
			people[l.Lead.PersonID] = true
			for _, e := range l.Emails {
				emails[e.Email.Status], decisions[e.Activity.Decision] = true, true
			}
		}
	}
	for _, s := range outreach.LeadStatuses() {
		if !leads[s] {
			t.Errorf("no lead is %s", s)
		}
	}
	for _, s := range outreach.EmailStatuses() {
		if !emails[s] {
			t.Errorf("no e-mail is %s", s)
		}
	}
	if !decisions[outreach.DecisionPending] || !decisions[outreach.DecisionRejected] {
		t.Errorf("the activities have only the decisions %v", decisions)
	}
}
