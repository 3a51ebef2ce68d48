package outreach_test

import (
	"strings"
	"testing"
	"time"

	"kith/internal/outreach"
	"kith/internal/test/expect"
)

func TestFeedbackMovesLeadsAndEmails(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3)
	var sent []*outreach.Email
	for _, l := range leads {
		sent = append(sent, d.approved(t, s.ID, l, 1, false))
	}
	d.pass(t)
	next := d.approved(t, s.ID, leads[0], 1, true)
	listener := outreach.NewListener(d.outbox, func() time.Time { return d.now })
	id := func(i int) string { return "<" + d.post.taken[i].MessageID + ">" }
	apply := func(integration int64, f ...outreach.Feedback) string {
		results, err := listener.ApplyFeedback(t.Context(), d.user.UserID, integration, f)
		expect.NoError(t, err)
		var out []string
		for _, r := range results {
			out = append(out, string(r))
		}
		return strings.Join(out, " ")
	}
	early := d.now.Add(-time.Second).Truncate(time.Millisecond)
	got := apply(1,
		outreach.Feedback{Type: outreach.FeedbackClicked, MessageID: id(0), At: &early},
		outreach.Feedback{Type: outreach.FeedbackOpened, MessageID: id(0)},
		outreach.Feedback{Type: outreach.FeedbackReplied, MessageID: id(1), Auto: true},
		outreach.Feedback{Type: outreach.FeedbackReplied, MessageID: id(0)},
		outreach.Feedback{Type: outreach.FeedbackReplied, MessageID: id(0)},
		outreach.Feedback{Type: outreach.FeedbackBounced, MessageID: id(2)},
		outreach.Feedback{Type: outreach.FeedbackBounced, MessageID: id(2), Hard: true},
		outreach.Feedback{Type: outreach.FeedbackBounced, MessageID: id(2), Hard: true},
		outreach.Feedback{Type: outreach.FeedbackForwarded, MessageID: "nobody@acme.example"},
		// the lead is finished, and now suppressed
		outreach.Feedback{Type: outreach.FeedbackComplaint, MessageID: id(0)},
		outreach.Feedback{Type: outreach.FeedbackComplaint, MessageID: id(0)})
	if got != "applied unchanged applied applied unchanged applied applied unchanged unknown applied unchanged" {
		t.Error("results of the feedback:", got)
	}
	if got := apply(2, outreach.Feedback{Type: outreach.FeedbackOpened, MessageID: id(1)}); got != "unknown" {
		t.Errorf("feedback to another integration's e-mail: %s", got)
	}
	e, lead := d.state(t, s.ID, sent[0].ID)
	expect.Values(t, "e-mail and lead after the reply",
		[]any{e.RepliedAt != nil, e.OpenedAt != nil && e.OpenedAt.Equal(early), lead.Status, lead.LatestUpdate},
		true, true, outreach.LeadFinished, "Replied")
	follow, _ := d.state(t, s.ID, next.ID)
	_, answered := d.state(t, s.ID, sent[1].ID)
	_, bounced := d.state(t, s.ID, sent[2].ID)
	expect.Values(t, "follow-up, and leads after an automatic reply and a hard bounce",
		[]any{follow.Status, answered.Status, answered.LatestUpdate, bounced.Status},
		outreach.EmailCanceled, outreach.LeadActive, "Automatic reply", outreach.LeadFinished)
	other, _ := d.sequence(t, d.user, "Q4")
	if added := d.add(t, d.user, other.ID, 3); added[0].Refusal == nil || added[0].Refusal.Code != "SUPPRESSED" {
		t.Errorf("adding the bounced lead: %+v", added[0])
	}
	counted, err := d.svc.Sequence(t.Context(), d.user, s.ID)
	expect.NoError(t, err)
	n := counted.Counts
	expect.Values(t, "counts", []any{n.Sent, n.Replied, n.Rate(n.Replied), n.Clicked, n.Opened}, 3, 1, 33, 1, 1)
	recounted(t, d.db.Pool())
}

// A second reply closes a reopened lead again. A repeat of known feedback does not.
func TestRepliesCloseReopenedLeads(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	sent := d.approved(t, s.ID, leads[0], 1, false)
	d.pass(t)
	listener := outreach.NewListener(d.outbox, func() time.Time { return d.now })
	replied := func(at time.Time) outreach.FeedbackResult {
		t.Helper()
		results, err := listener.ApplyFeedback(t.Context(), d.user.UserID, 1, []outreach.Feedback{
			{Type: outreach.FeedbackReplied, MessageID: d.post.taken[0].MessageID, At: &at},
		})
		expect.NoError(t, err)
		return results[0]
	}
	d.now = d.now.Truncate(time.Millisecond)
	first := d.now
	if got := replied(first); got != outreach.FeedbackApplied {
		t.Fatal("result of the first reply:", got)
	}
	active := outreach.LeadActive
	for range 2 {
		if _, err := d.svc.ChangeLead(t.Context(), d.user, s.ID, leads[0],
			outreach.LeadChange{Status: &active}); err != nil {
			t.Fatal(err)
		}
		last := d.now
		next := d.approved(t, s.ID, leads[0], 1, true)
		d.now = d.now.Add(time.Hour)
		for _, recordFirst := range []time.Time{first, last} {
			if got := replied(recordFirst); got != outreach.FeedbackUnchanged {
				t.Errorf("a repeat returns %s", got)
			}
		}
		if _, lead := d.state(t, s.ID, sent.ID); lead.Status != outreach.LeadActive {
			t.Errorf("after a repeat the lead is %s", lead.Status)
		}
		if got := replied(d.now); got != outreach.FeedbackApplied {
			t.Errorf("a second reply returns %s", got)
		}
		follow, lead := d.state(t, s.ID, next.ID)
		if lead.Status != outreach.LeadFinished || follow.Status != outreach.EmailCanceled {
			t.Errorf("after a second reply the lead is %s, and the scheduled e-mail %s", lead.Status, follow.Status)
		}
	}
	counted, err := d.svc.Sequence(t.Context(), d.user, s.ID)
	if err != nil || counted.Counts.Replied != 1 {
		t.Errorf("counts: %+v, %v", counted.Counts, err)
	}
	recounted(t, d.db.Pool())
}

func TestBadSignaturesAreRefused(t *testing.T) {
	now, secret, body := noon(), []byte("secret"), []byte(`{"events":[]}`)
	good := outreach.Sign(secret, body, now)
	if err := outreach.VerifySignature(secret, good, body, now.Add(4*time.Minute)); err != nil {
		t.Error(err)
	}
	wantCode(t, outreach.VerifySignature(secret, good, body, now.Add(6*time.Minute)), "SIGNATURE_EXPIRED")
	wantCode(t, outreach.VerifySignature(secret, good, body, now.Add(-6*time.Minute)), "SIGNATURE_EXPIRED")
	later := strings.Replace(good, "t=1", "t=2", 1)
	for name, err := range map[string]error{
		"another secret": outreach.VerifySignature([]byte("other"), good, body, now),
		"another body":   outreach.VerifySignature(secret, good, []byte(`{}`), now),
		"another time":   outreach.VerifySignature(secret, later, body, now),
		"no secret":      outreach.VerifySignature(nil, outreach.Sign(nil, body, now), body, now),
		"nothing":        outreach.VerifySignature(secret, "", body, now),
		"cut":            outreach.VerifySignature(secret, good[:len(good)-2], body, now),
	} {
		if err == nil {
			t.Error("a bad signature was accepted:", name)
		}
		wantCode(t, err, "SIGNATURE_INVALID")
	}
}
