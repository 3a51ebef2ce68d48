package outreach_test

import (
	"strings"
	"testing"
	"time"

	"kith/internal/outreach"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestUnsubscribeClosesTheLead(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	first := d.approved(t, s.ID, leads[0], 1, false)
	d.pass(t)
	next := d.approved(t, s.ID, leads[0], 1, false)
	for range 2 {
		expect.NoError(t, d.outbox.Unsubscribe(t.Context(), d.user.UserID, first.ID, "", d.now))
	}
	e, lead := d.state(t, s.ID, next.ID)
	if e.Status != outreach.EmailCanceled || lead.Status != outreach.LeadFinished ||
		!strings.Contains(lead.LatestUpdate, "unsubscribed") {
		t.Errorf("e-mail and lead after the unsubscription: %s, %+v", e.Status, lead)
	}
	other, _ := d.sequence(t, d.user, "Q4")
	if added := d.add(t, d.user, other.ID, 1); added[0].Refusal == nil || added[0].Refusal.Code != "SUPPRESSED" {
		t.Errorf("adding an unsubscribed lead: %+v", added[0])
	}
}

// A link closes its own lead, even if another link has suppressed the address already. A second use changes nothing.
func TestUnsubscribeLinksCloseTheirOwnLead(t *testing.T) {
	d := newDelivery(t)
	var sequences []outreach.Sequence
	var sent, next []*outreach.Email
	for i, name := range []string{"Q3", "Q4"} {
		s, leads := d.sequence(t, d.user, name)
		if i == 1 {
			// A person is in one active sequence at most.
			pgtest.Exec(t, d.db, "update sequences set status = 'paused' where name = 'Q3'")
		}
		for _, r := range d.add(t, d.user, s.ID, 1) {
			leads = append(leads, r.Lead.ID)
		}
		sent = append(sent, d.approved(t, s.ID, leads[0], 1, false))
		d.pass(t)
		next = append(next, d.approved(t, s.ID, leads[0], 1, false))
		sequences = append(sequences, s)
	}
	for i, s := range sequences {
		for n := range 2 {
			expect.NoError(t, d.outbox.Unsubscribe(t.Context(), d.user.UserID, sent[i].ID, "",
				d.now.Add(time.Duration(n)*time.Hour)))
		}
		e, lead := d.state(t, s.ID, next[i].ID)
		if e.Status != outreach.EmailCanceled || lead.Status != outreach.LeadFinished ||
			lead.LatestUpdateAt.After(d.now) {
			t.Errorf("%s: %s, %+v", s.Name, e.Status, lead)
		}
	}
}

// No e-mail to a suppressed address is scheduled, from any lead: it would only be canceled once it is due.
func TestSuppressedAddressesAreNotScheduled(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2)
	theirs, other, scheduled := d.draft(t, d.user, s.ID, leads[0]), d.draft(t, d.user, s.ID, leads[1]),
		d.draft(t, d.user, s.ID, leads[1])
	if _, err := d.svc.Decide(t.Context(), d.user, scheduled.ID, decide(outreach.DecisionApproved)); err != nil {
		t.Fatal(err)
	}
	suppress(t, d.db, d.user, "p1@example.com")
	to := "P1@example.com"
	redirected := decide(outreach.DecisionApproved)
	redirected.To = &to
	for name, step := range map[string]struct {
		activity int64
		change   outreach.ActivityChange
	}{
		"approved":              {theirs.ID, decide(outreach.DecisionApproved)},
		"redirected, approved":  {other.ID, redirected},
		"redirected afterwards": {scheduled.ID, outreach.ActivityChange{To: &to, MaySend: true}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.svc.Decide(t.Context(), d.user, step.activity, step.change)
			wantCode(t, err, "SUPPRESSED")
		})
	}
	for _, ch := range []outreach.ActivityChange{
		{To: &to},
		decide(outreach.DecisionRejected),
		decide(outreach.DecisionPending),
	} {
		if _, err := d.svc.Decide(t.Context(), d.user, other.ID, ch); err != nil {
			t.Errorf("a change that schedules nothing was refused: %v", err)
		}
	}
}

// A claim checks the suppressions of the address that the e-mail has at that moment, not of an earlier one.
func TestClaimsCheckTheCurrentAddress(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	suppress(t, d.db, d.user, "no@example.com")
	tx, err := d.db.Pool().Begin(t.Context())
	expect.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }() // the test commits it
	if _, err := tx.Exec(t.Context(), "select from leads for update"); err != nil {
		t.Fatal(err)
	}
	passed := make(chan error, 1)
	go func() {
		_, err := d.worker.Pass(t.Context())
		passed <- err
	}()
	pgtest.AwaitBlocked(t, d.db)
	if _, err := tx.Exec(t.Context(), "update emails set to_address = 'No@example.com'"); err != nil {
		t.Fatal(err)
	}
	expect.NoError(t, tx.Commit(t.Context()))
	expect.NoError(t, <-passed)
	if got, _ := d.state(t, s.ID, e.ID); got.Status != outreach.EmailCanceled || len(d.post.taken) > 0 {
		t.Errorf("%s: %+v", got.Status, d.post.taken)
	}
}

// A domain may have two spellings. A suppressed address gets no e-mail in either, even if the old spelling was stored.
func TestSuppressionsHoldInEverySpelling(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	for stored, asked := range map[string]string{
		"jane@bücher.example": "Jane@XN--bcher-kva.example", "joe@xn--bcher-kva.example": "joe@bücher.example",
		"jim@xn--bcher-kva.example": "jim@xn--bcher-kva.example",
	} {
		suppress(t, d.db, d.user, stored)
		a, err := d.svc.Draft(t.Context(), d.user, s.ID, leads[0], outreach.Draft{
			Subject: "Hi", Body: "Hello",
			To: asked,
		})
		expect.NoError(t, err)
		_, err = d.svc.Decide(t.Context(), d.user, a.ID, decide(outreach.DecisionApproved))
		wantCode(t, err, "SUPPRESSED")
	}
}

// Addresses are stored in one spelling.
func TestAddressesAreStoredInOneSpelling(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	drafted, err := d.svc.Draft(t.Context(), d.user, s.ID, leads[0],
		outreach.Draft{Subject: "Hi", Body: "Hello", To: "Jane@xn--bcher-kva.example"})
	if err != nil || drafted.Email.To != "Jane@bücher.example" {
		t.Errorf("drafted: %+v, %v", drafted, err)
	}
	to := "Joe@xn--bcher-kva.example"
	if _, err := d.svc.Decide(t.Context(), d.user, drafted.ID, outreach.ActivityChange{To: &to}); err != nil {
		t.Fatal(err)
	}
	if got, _ := d.state(t, s.ID, drafted.Email.ID); got.To != "Joe@bücher.example" {
		t.Errorf("edited: %s", got.To)
	}
}

// What a recipient asked for lasts, even if the address was suppressed before for a reason that the user can undo.
func TestOptOutsReplaceOtherReasons(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3, 4)
	var sent []*outreach.Email
	for _, lead := range leads {
		sent = append(sent, d.approved(t, s.ID, lead, 1, false))
	}
	d.pass(t)
	listener := outreach.NewListener(d.outbox, func() time.Time { return d.now })
	feedback := func(i int, what outreach.FeedbackType) {
		t.Helper()
		results, err := listener.ApplyFeedback(t.Context(), d.user.UserID, 1, []outreach.Feedback{
			{Type: what, MessageID: d.post.taken[i].MessageID, Hard: true},
		})
		if err != nil || results[0] != outreach.FeedbackApplied {
			t.Errorf("%s about e-mail %d: %s, %v", what, i, results, err)
		}
	}
	for i, e := range sent {
		if i%2 == 0 {
			_, err := d.svc.Suppress(t.Context(), d.user, d.post.taken[i].To)
			expect.NoError(t, err)
		} else {
			feedback(i, outreach.FeedbackBounced)
		}
		if i < 2 {
			expect.NoError(t, d.outbox.Unsubscribe(t.Context(), d.user.UserID, e.ID, "", d.now))
		} else {
			feedback(i, outreach.FeedbackComplaint)
		}
	}
	list, _, err := d.svc.Suppressions(t.Context(), d.user, outreach.Page{N: 10})
	expect.NoError(t, err)
	expect.Len(t, "suppressions", list, len(sent))
	for _, is := range list {
		wantCode(t, d.svc.Release(t.Context(), d.user, is.ID), "SUPPRESSION_LASTS")
	}
}

// An opt-out whose e-mail is gone lasts, even if another user had the address suppressed and releases it.
func TestOptOutsOutlastReleases(t *testing.T) {
	d := newDelivery(t)
	other := d.dataset.user(t, "u2")
	added, err := d.svc.Suppress(t.Context(), other, "p1@example.com")
	expect.NoError(t, err)
	expect.NoError(t, d.outbox.Unsubscribe(t.Context(), d.user.UserID, 99, "p1@example.com", d.now))
	expect.NoError(t, d.svc.Release(t.Context(), other, added.ID))
	_, err = d.svc.Suppress(t.Context(), other, "p1@example.com")
	wantCode(t, err, "ALREADY_SUPPRESSED")
}
