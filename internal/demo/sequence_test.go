package demo_test

import (
	"slices"
	"testing"
	"time"

	"kith/internal/demo"
	"kith/internal/outreach"
)

// The demo shows every state, and has drafts to decide on.
func TestSequencesShowEveryState(t *testing.T) {
	d, err := demo.New(demo.Default())
	if err != nil {
		t.Fatal(err)
	}
	sequences, err := d.Sequences(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	if err != nil || len(sequences) != 3 {
		t.Fatal(len(sequences), err)
	}
	var leads []outreach.LeadStatus
	var emails []outreach.EmailStatus
	people := map[int64]bool{}
	pending, rejected := 0, 0
	for _, s := range sequences {
		s.Fill(time.Now())
		if problems := s.Check(); len(problems) > 0 {
			t.Error(problems)
		}
		for _, l := range s.Leads {
			leads = append(leads, l.Lead.Status)
			if people[l.Lead.PersonID] {
				t.Errorf("person %d is a lead twice", l.Lead.PersonID)
			}
			people[l.Lead.PersonID] = true
			for _, e := range l.Emails {
				emails = append(emails, e.Email.Status)
				switch e.Activity.Decision {
				case outreach.DecisionPending:
					pending++
				case outreach.DecisionRejected:
					rejected++
				case outreach.DecisionApproved:
				}
			}
		}
	}
	for _, s := range outreach.LeadStatuses() {
		if !slices.Contains(leads, s) {
			t.Errorf("no lead is %s", s)
		}
	}
	for _, s := range outreach.EmailStatuses() {
		if !slices.Contains(emails, s) {
			t.Errorf("no e-mail is %s", s)
		}
	}
	if pending == 0 || rejected == 0 {
		t.Errorf("%d activities are pending, %d rejected", pending, rejected)
	}
}
