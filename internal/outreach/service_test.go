package outreach_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kith"
	"kith/internal/access/keys"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestSequencesAreCreatedAndChanged(t *testing.T) {
	d := newDataset(t, 2)
	a := d.user(t, "u1")
	name, text, active := "Q3 fintech", "hello", outreach.SequenceActive
	s, err := d.svc.Create(t.Context(), a, outreach.SequenceChange{
		Name: &name, Instructions: &text, SetTemplates: true,
		Templates: []outreach.Template{
			{Name: "One", Subject: "Hi {first_name}", Body: "x"},
			{ID: 7, Name: "Two", Subject: "y", Body: "z"},
		},
	})
	if err != nil || s.Status != outreach.SequenceDraft || s.Templates[0].ID != 8 {
		t.Fatalf("new sequence: %+v, %v", s, err)
	}
	_, err = d.svc.Create(t.Context(), a, outreach.SequenceChange{Name: &name})
	wantCode(t, err, "SEQUENCE_EXISTS")
	_, err = d.svc.Change(t.Context(), a, s.ID, outreach.SequenceChange{Status: &active})
	expect.NoError(t, err)
	got, err := d.svc.Sequence(t.Context(), a, s.ID)
	if err != nil || got.Status != active || got.Instructions != text || len(got.Templates) != 2 ||
		got.Counts != (outreach.Counts{}) {
		t.Errorf("active sequence: %+v, %v", got, err)
	}
	bad := strings.Repeat("x", outreach.MaxName+1)
	_, err = d.svc.Change(t.Context(), a, s.ID, outreach.SequenceChange{
		Name: &bad, SetTemplates: true, Templates: []outreach.Template{
			{Subject: "{{first_name}}"},
			{Subject: "a\r\nBcc: b@example.com"},
		},
	})
	wantField(t, err, "name", "TOO_LONG")
	wantField(t, err, "ai_email_templates[0].subject", "PLACEHOLDER_NESTED")
	wantField(t, err, "ai_email_templates[1].subject", "INVALID_CHARACTER")
	invisible := "\u200b"
	_, err = d.svc.Create(t.Context(), a, outreach.SequenceChange{Name: &invisible})
	wantField(t, err, "name", "REQUIRED")
	other, _ := d.sequence(t, a, "Other")
	_, err = d.svc.Change(t.Context(), a, other.ID, outreach.SequenceChange{Name: &name})
	wantCode(t, err, "SEQUENCE_EXISTS")
}

func TestLeadsAreListedInTheOrderOfTheRequest(t *testing.T) {
	d := newDataset(t, 5)
	a := d.user(t, "u1")
	asked := []int64{3, 1, 4, 2}
	s, _ := d.sequence(t, a, "Q3", asked...)
	leads, _, err := d.svc.Leads(t.Context(), a, s.ID, outreach.LeadQuery{Page: outreach.Page{N: 10}})
	var listed []int64
	for _, l := range leads {
		listed = append(listed, l.PersonID)
	}
	if err != nil || !slices.Equal(listed, asked) {
		t.Errorf("%d, want %d, %v", listed, asked, err)
	}
}

func TestAddedLeadsAreChecked(t *testing.T) {
	d := newDataset(t, 6)
	a := d.user(t, "u1")
	d.sequence(t, a, "Elsewhere", 3)
	s, _ := d.sequence(t, a, "Q3", 2)
	suppress(t, d.db, a, "p4@example.com")
	results, err := d.svc.AddLeads(t.Context(), a, s.ID, []outreach.NewLead{
		{PersonID: 1},
		{Identifier: "https://social.example/in/p1"},
		{Identifier: "@p2"},
		{Identifier: "P3@example.com"},
		{PersonID: 4},
		{PersonID: 6},
		{PersonID: 99},
		{Identifier: "nobody"},
		{Identifier: "p5"},
	})
	expect.NoError(t, err)
	var got []string
	for _, r := range results {
		text := string(r.Result)
		if r.Refusal != nil {
			text += " " + r.Refusal.Code
		}
		got = append(got, text)
	}
	want := []string{
		"created", "unchanged", "unchanged", "refused IN_ANOTHER_SEQUENCE", "refused SUPPRESSED", "refused NO_EMAIL",
		"refused PERSON_NOT_FOUND", "refused PERSON_NOT_FOUND", "created",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	s, err = d.svc.Sequence(t.Context(), a, s.ID)
	if err != nil || s.Counts.Leads != 3 {
		t.Errorf("counts: %+v, %v", s.Counts, err)
	}
	recounted(t, d.db.Pool())
	// Sequences of other users do not conflict.
	other := d.user(t, "u2")
	d.sequence(t, other, "Theirs", 1, 3, 5)
}

func TestListsFilterAndPage(t *testing.T) {
	d := newDataset(t, 8)
	a := d.user(t, "u1")
	s, leads := d.sequence(t, a, "Q3", 1, 2, 3, 4, 5, 6, 7)
	finished := outreach.LeadFinished
	if _, err := d.svc.ChangeLead(t.Context(), a, s.ID, leads[3], outreach.LeadChange{Status: &finished}); err != nil {
		t.Fatal(err)
	}
	walk := func(status outreach.LeadStatus) (got []int64) {
		q := outreach.LeadQuery{Page: outreach.Page{N: 2}, Status: status}
		for {
			page, more, err := d.svc.Leads(t.Context(), a, s.ID, q)
			expect.NoError(t, err)
			for _, l := range page {
				got = append(got, l.ID)
				expect.Values(t, "person of a lead",
					[]any{l.Person.FirstName, l.Person.Present().Company.Name, l.Person.SocialURL != ""},
					fmt.Sprintf("Person%d", l.PersonID), "Initech", true)
			}
			if !more {
				return got
			}
			q.After = got[len(got)-1]
		}
	}
	open := slices.Delete(slices.Clone(leads), 3, 4)
	expect.Values(t, "leads", []any{walk(""), walk(finished), walk(outreach.LeadNotStarted)}, leads, leads[3:4], open)
	d.draft(t, a, s.ID, leads[0])
	second := d.draft(t, a, s.ID, leads[1])
	approved := outreach.DecisionApproved
	if _, err := d.svc.Decide(t.Context(), a, second.ID, outreach.ActivityChange{Decision: &approved}); err != nil {
		t.Fatal(err)
	}
	emails, more, err := d.svc.Emails(t.Context(), a, s.ID, outreach.EmailQuery{Page: outreach.Page{N: 1}})
	expect.NoError(t, err)
	expect.Len(t, "first page of e-mails", emails, 1)
	expect.Values(t, "first page of e-mails",
		[]any{emails[0].Subject, emails[0].LeadID, emails[0].Person.ID, more},
		"Hi Person1", leads[0], 1, true)
	emails, more, err = d.svc.Emails(t.Context(), a, s.ID,
		outreach.EmailQuery{Page: outreach.Page{N: 5}, Status: outreach.EmailScheduled})
	expect.NoError(t, err)
	expect.Len(t, "scheduled e-mails", emails, 1)
	expect.Values(t, "scheduled e-mails", []any{emails[0].ID, more}, second.Email.ID, false)
	list, more, err := d.svc.Activities(t.Context(), a,
		outreach.ActivityQuery{Page: outreach.Page{N: 5}, Decision: outreach.DecisionPending})
	expect.NoError(t, err)
	expect.Len(t, "pending activities", list, 1)
	expect.Values(t, "pending activities",
		[]any{list[0].Sequence.Name, list[0].Email.Subject, list[0].Lead.Status, more},
		"Q3", "Hi Person1", outreach.LeadPending, false)
}

func TestHistorySaysWhoAndWhen(t *testing.T) {
	d := newDataset(t, 2)
	a := d.user(t, "u1")
	s, leads := d.sequence(t, a, "Q3", 1)
	act := d.draft(t, a, s.ID, leads[0])
	rejected := outreach.DecisionRejected
	if _, err := d.svc.Decide(t.Context(), a, act.ID, outreach.ActivityChange{Decision: &rejected}); err != nil {
		t.Fatal(err)
	}
	entries, more, err := d.svc.History(t.Context(), a, s.ID, leads[0], outreach.Page{N: 50})
	if err != nil || more {
		t.Fatal(more, err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%s %s>%s", e.Subject, e.From, e.To))
		if e.By != "user:u1" || e.At.IsZero() || e.Row == 0 {
			t.Errorf("history entry: %+v", e)
		}
	}
	want := "lead >not_started, email >draft, activity >pending, lead not_started>pending, email draft>canceled, " +
		"activity pending>rejected"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s", strings.Join(got, ", "))
	}
}

// Objects of other users, objects of other sequences and missing objects give the same error after the same statements.
func TestForeignObjectsLookMissing(t *testing.T) {
	d, dsn := newDatasetAt(t, 4)
	wire, tapped := tap(t, dsn)
	db, err := postgres.Open(t.Context(), tapped, postgres.Options{Schema: pgtest.Schema})
	expect.NoError(t, err)
	expect.NoError(t, db.UseKeys(keys.Ring{Suppression: make([]byte, 32)}))
	t.Cleanup(db.Close)
	d.svc = outreach.New(outreach.Config{Store: db.Outreach(), People: db})
	a, b := d.user(t, "u1"), d.user(t, "u2")
	s, leads := d.sequence(t, a, "Q3", 1)
	second, _ := d.sequence(t, a, "Q4", 2)
	act := d.draft(t, a, s.ID, leads[0])
	page := outreach.Page{N: 5}
	type call func(who kith.Actor, sequence, lead, activity int64) error
	calls := map[string]call{
		"SEQUENCE_NOT_FOUND sequence": func(who kith.Actor, sequence, _, _ int64) error {
			_, err := d.svc.Sequence(t.Context(), who, sequence)
			return err
		},
		"SEQUENCE_NOT_FOUND change": func(who kith.Actor, sequence, _, _ int64) error {
			_, err := d.svc.Change(t.Context(), who, sequence, outreach.SequenceChange{})
			return err
		},
		"SEQUENCE_NOT_FOUND leads": func(who kith.Actor, sequence, _, _ int64) error {
			_, _, err := d.svc.Leads(t.Context(), who, sequence, outreach.LeadQuery{Page: page})
			return err
		},
		"SEQUENCE_NOT_FOUND add": func(who kith.Actor, sequence, _, _ int64) error {
			_, err := d.svc.AddLeads(t.Context(), who, sequence, []outreach.NewLead{{PersonID: 1}})
			return err
		},
		"SEQUENCE_NOT_FOUND emails": func(who kith.Actor, sequence, _, _ int64) error {
			_, _, err := d.svc.Emails(t.Context(), who, sequence, outreach.EmailQuery{Page: page})
			return err
		},
		"LEAD_NOT_FOUND lead": func(who kith.Actor, sequence, lead, _ int64) error {
			_, err := d.svc.ChangeLead(t.Context(), who, sequence, lead, outreach.LeadChange{})
			return err
		},
		"LEAD_NOT_FOUND draft": func(who kith.Actor, sequence, lead, _ int64) error {
			_, err := d.svc.Draft(t.Context(), who, sequence, lead, hello())
			return err
		},
		"LEAD_NOT_FOUND history": func(who kith.Actor, sequence, lead, _ int64) error {
			_, _, err := d.svc.History(t.Context(), who, sequence, lead, page)
			return err
		},
		"ACTIVITY_NOT_FOUND decide": func(who kith.Actor, _, _, activity int64) error {
			_, err := d.svc.Decide(t.Context(), who, activity, outreach.ActivityChange{})
			return err
		},
	}
	for name, do := range calls {
		code, _, _ := strings.Cut(name, " ")
		if err := do(a, s.ID, leads[0], act.ID); err != nil {
			t.Errorf("%s of the user's own: %v", name, err)
		}
		var foreign, nobody error
		ran := wire.during(func() { foreign = do(b, s.ID, leads[0], act.ID) })
		if other := wire.during(func() { nobody = do(b, 0, 0, 0) }); len(ran) == 0 || !slices.Equal(ran, other) {
			t.Errorf("%s: statements %q for another user's object, %q for a missing one", name, ran, other)
		}
		wantCode(t, foreign, code)
		if foreign == nil || nobody == nil || foreign.Error() != nobody.Error() {
			t.Errorf("%s: errors %v and %v", name, foreign, nobody)
		}
	}
	wantCode(t, calls["LEAD_NOT_FOUND lead"](a, second.ID, leads[0], 0), "LEAD_NOT_FOUND")
	list, _, err := d.svc.Activities(t.Context(), b, outreach.ActivityQuery{Page: page})
	if err != nil || len(list) > 0 {
		t.Errorf("activities of another user: %v, %v", list, err)
	}
}

func TestDeletedPeopleLeaveSequences(t *testing.T) {
	d := newDataset(t, 4)
	a := d.user(t, "u1")
	s, leads := d.sequence(t, a, "Q3", 1, 2)
	d.draft(t, a, s.ID, leads[0])
	pgtest.Exec(t, d.db, "delete from people where id = 1")
	recounted(t, d.db.Pool())
	got, err := d.svc.Sequence(t.Context(), a, s.ID)
	if err != nil || got.Counts.Leads != 1 {
		t.Errorf("counts after the deletion: %+v, %v", got.Counts, err)
	}
}

// Fifty clients decide about the same activities and change the same leads. The history has every change, each
// following from the one before: none was lost, and none left the state diagrams.
func TestConcurrentDecisionsAreAllRecorded(t *testing.T) {
	const clients, rounds = 50, 6
	d := newDataset(t, 4)
	a := d.user(t, "u1")
	s, leads := d.sequence(t, a, "Q3", 1, 2, 3)
	var activities []int64
	for _, l := range leads {
		for range 2 {
			activities = append(activities, d.draft(t, a, s.ID, l).ID)
		}
	}
	var group sync.WaitGroup
	var done atomic.Int64
	for client := range clients {
		group.Go(func() {
			for round := range rounds {
				ok, err := clash(t.Context(), d, a, s.ID, leads, activities, client*rounds+round)
				if err != nil {
					t.Error(err)
				}
				if ok {
					done.Add(1)
				}
			}
		})
	}
	group.Wait()
	recounted(t, d.db.Pool())
	var changes int64
	for _, l := range leads {
		changes += checkChain(t, d, a, s.ID, l)
	}
	if changes != done.Load() || changes < clients*rounds/2 {
		t.Errorf("%d changes in the histories, but %d were made", changes, done.Load())
	}
}

// clash performs one operation of a client, chosen by n, and reports whether it succeeded. A state that forbids
// the operation is no error.
func clash(ctx context.Context, d *dataset, a kith.Actor, sequence int64, leads, activities []int64,
	n int,
) (bool, error) {
	var err error
	if n%3 == 0 {
		// Clients change different members of a lead.
		status, at := outreach.LeadStatuses()[n%5], time.Now().Add(time.Duration(n)*time.Hour)
		ch := outreach.LeadChange{Status: &status, NextFollowup: &at, SetNextFollowup: true}
		if n%2 == 0 {
			ch = outreach.LeadChange{
				SetIntroducers: true,
				Introducers:    []outreach.Introducer{{SocialIdentifier: fmt.Sprint("i", n), Name: "x"}},
			}
		}
		_, err = d.svc.ChangeLead(ctx, a, sequence, leads[n/3%len(leads)], ch)
	} else {
		decision, note := outreach.Decisions()[n%7%3], fmt.Sprint("by ", n)
		_, err = d.svc.Decide(ctx, a, activities[n%len(activities)],
			outreach.ActivityChange{Decision: &decision, Note: &note})
	}
	if kith.KindOf(err) == kith.Conflict {
		return false, nil
	}
	return err == nil, err
}

// checkChain follows the history of a lead: each change starts from the last value, and the final value is the
// stored one. It returns the number of changes by clients; each of them made one entry that names its changes.
func checkChain(t *testing.T, d *dataset, a kith.Actor, sequence, lead int64) (changes int64) {
	t.Helper()
	entries, more, err := d.svc.History(t.Context(), a, sequence, lead, outreach.Page{N: 5000})
	if err != nil || more {
		t.Fatal(more, err)
	}
	at := map[string]string{}
	for _, e := range entries {
		row := fmt.Sprint(e.Subject, e.Row)
		if e.From != at[row] {
			t.Errorf("%s went from %s to %s, but was %s", row, e.From, e.To, at[row])
		}
		if e.Subject == outreach.OfEmail && e.From != "" &&
			!outreach.EmailStatus(e.From).May(outreach.EmailStatus(e.To)) {
			t.Errorf("%s went from %s to %s", row, e.From, e.To)
		}
		at[row] = e.To
		if strings.HasPrefix(e.Reason, "changed ") {
			changes++
		}
	}
	views, _, err := d.svc.Activities(t.Context(), a, outreach.ActivityQuery{Page: outreach.Page{N: 100}})
	expect.NoError(t, err)
	for _, v := range views {
		if v.Lead.ID != lead {
			continue
		}
		expect.Values(t, fmt.Sprintf("ends of the history of lead %d", lead), []any{
			at[fmt.Sprint(outreach.OfLead, lead)], at[fmt.Sprint(outreach.OfActivity, v.ID)],
			at[fmt.Sprint(outreach.OfEmail, v.Email.ID)],
		}, v.Lead.Status, v.Decision, v.Email.Status)
		if v.Lead.Status.Closed() && v.Email.Status == outreach.EmailScheduled {
			t.Errorf("an e-mail to lead %d is scheduled, but the lead is %s", lead, v.Lead.Status)
		}
	}
	return changes
}
