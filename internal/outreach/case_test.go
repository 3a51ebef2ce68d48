package outreach_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kith"
	"kith/internal/outreach"
	"kith/internal/test/expect"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func newCase() *outreach.Case {
	return &outreach.Case{
		Sequence: outreach.SequenceRef{ID: 1, Name: "Q3", Status: outreach.SequenceActive},
		Lead:     outreach.Lead{ID: 2, SequenceID: 1, PersonID: 3, Status: outreach.LeadNotStarted},
		Person: func() (kith.Person, error) {
			return kith.Person{ID: 3, FirstName: "Zoë", Email: "zoe@example.com"}, nil
		},
		Refused: func(address string) (bool, error) { return address == "no@example.com", nil },
		Sender:  func(int64) (string, bool, error) { return "", true, nil },
		By:      "user:u1", Now: noon(),
	}
}

// store numbers new rows as a store does.
func store(c *outreach.Case) {
	for i, e := range c.Emails {
		e.ID = int64(i + 1)
	}
	for i, a := range c.Activities {
		a.ID = int64(i + 1)
	}
}

func add(t testing.TB, c *outreach.Case, d outreach.Draft) *outreach.Activity {
	t.Helper()
	a, err := c.Add(d)
	expect.NoError(t, err)
	store(c)
	return a
}

func hello() outreach.Draft { return outreach.Draft{Subject: "Hi {first_name}", Body: "Hello"} }

func decide(d outreach.Decision) outreach.ActivityChange {
	return outreach.ActivityChange{Decision: &d}
}

func TestDecisionsMoveEmails(t *testing.T) {
	c := newCase()
	a := add(t, c, hello())
	if a.Email.Subject != "Hi Zoë" || a.Email.To != "zoe@example.com" || a.Email.Status != outreach.EmailDraft ||
		c.Lead.Status != outreach.LeadPending {
		t.Fatalf("%+v, lead %s", a.Email, c.Lead.Status)
	}
	for _, step := range []struct {
		decision outreach.Decision
		email    outreach.EmailStatus
	}{
		{outreach.DecisionApproved, outreach.EmailScheduled},
		{outreach.DecisionRejected, outreach.EmailCanceled},
		{outreach.DecisionPending, outreach.EmailDraft},
		{outreach.DecisionRejected, outreach.EmailCanceled},
		{outreach.DecisionApproved, outreach.EmailScheduled},
		{outreach.DecisionApproved, outreach.EmailScheduled},
		{outreach.DecisionPending, outreach.EmailDraft},
	} {
		expect.NoError(t, c.Decide(a, decide(step.decision)))
		if a.Decision != step.decision || a.Email.Status != step.email ||
			(a.ConfirmedAt == nil) != (step.decision == outreach.DecisionPending) {
			t.Fatalf("%s: decision %s, e-mail %s, confirmed %v", step.decision, a.Decision, a.Email.Status,
				a.ConfirmedAt)
		}
	}
	if c.Lead.Status != outreach.LeadActive {
		t.Errorf("lead %s", c.Lead.Status)
	}
}

func TestApprovedEmailsAreScheduledForTheirTimeOrNow(t *testing.T) {
	later, past := noon().Add(time.Hour), noon().Add(-time.Hour)
	for name, tt := range map[string]struct {
		stored, given *time.Time
		untimed       bool
		want          time.Time
	}{
		"none":    {nil, nil, false, noon()},
		"stored":  {&later, nil, false, later},
		"given":   {nil, &later, false, later},
		"past":    {&past, nil, false, noon()},
		"untimed": {&later, nil, true, noon()},
	} {
		c := newCase()
		a := add(t, c, hello())
		a.Email.ScheduledAt = tt.stored
		ch := decide(outreach.DecisionApproved)
		ch.ScheduledAt, ch.Untimed = tt.given, tt.untimed
		if err := c.Decide(a, ch); err != nil || !a.Email.ScheduledAt.Equal(tt.want) {
			t.Errorf("%s: %v, %v", name, a.Email.ScheduledAt, err)
		}
	}
}

func TestEditsLeaveTheDecisionPending(t *testing.T) {
	c := newCase()
	first := add(t, c, hello())
	a := add(t, c, hello())
	subject, body, note, to, yes, number := "Re: {first_name}", "New\n\ntext", "better", "z@example.com", true, int64(4)
	expect.NoError(t, c.Decide(a, outreach.ActivityChange{
		Subject: &subject, Body: &body, Note: &note, To: &to, InThread: &yes, Integration: &number,
	}))
	e := a.Email
	if e.Subject != "Re: Zoë" || e.Content.TextBody != body || a.Note != note || e.To != to ||
		e.Thread() != first.Email.ID || e.Integration != 4 || a.Decision != outreach.DecisionPending {
		t.Errorf("%+v of %+v", e, a)
	}
	if last := c.Moves[len(c.Moves)-1]; last.From != last.To ||
		last.Reason != "changed subject, body, to_email, user_integration_id, reply_in_thread, note" ||
		last.By != "user:u1" {
		t.Errorf("history entry of the edit: %+v", last)
	}
}

func TestImpossibleDecisionsAreRefused(t *testing.T) {
	past, text := noon().Add(-time.Hour), "{zip}"
	rejected := decide(outreach.DecisionRejected)
	for name, tt := range map[string]struct {
		prepare func(*outreach.Case, *outreach.Activity)
		change  outreach.ActivityChange
		code    string
	}{
		"sending": {
			func(_ *outreach.Case, a *outreach.Activity) { a.Email.Status = outreach.EmailSending }, rejected,
			"ACTIVITY_ALREADY_SENT",
		},
		"sent": {
			func(_ *outreach.Case, a *outreach.Activity) { a.Email.Status = outreach.EmailSent }, rejected,
			"ACTIVITY_ALREADY_SENT",
		},
		"failed": {
			func(_ *outreach.Case, a *outreach.Activity) { a.Email.Status = outreach.EmailFailed }, rejected,
			"ACTIVITY_ALREADY_SENT",
		},
		"edit": {
			func(_ *outreach.Case, a *outreach.Activity) { a.Email.Status = outreach.EmailSent },
			outreach.ActivityChange{Subject: &text},
			"ACTIVITY_ALREADY_SENT",
		},
		"closed lead": {
			func(c *outreach.Case, _ *outreach.Activity) { c.Lead.Status = outreach.LeadDeleted },
			decide(outreach.DecisionApproved), "LEAD_CLOSED",
		},
		"suppressed": {
			func(_ *outreach.Case, a *outreach.Activity) { a.Email.To = "no@example.com" },
			decide(outreach.DecisionApproved), "SUPPRESSED",
		},
		"past time": {nil, outreach.ActivityChange{ScheduledAt: &past}, "VALIDATION_FAILED"},
		"value":     {nil, outreach.ActivityChange{Body: &text}, "VALIDATION_FAILED"},
		"no mail": {
			func(_ *outreach.Case, a *outreach.Activity) { a.Email = nil },
			outreach.ActivityChange{Subject: &text},
			"ACTIVITY_WITHOUT_EMAIL",
		},
	} {
		c := newCase()
		a := add(t, c, hello())
		if tt.prepare != nil {
			tt.prepare(c, a)
		}
		err := c.Decide(a, tt.change)
		if e, is := errors.AsType[*kith.Error](err); !is || e.Code != tt.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An e-mail without an address is approved with that of the change, else with that of its person, and not without one.
func TestApprovalNeedsAnAddress(t *testing.T) {
	given := "given@example.com"
	for name, tt := range map[string]struct {
		person string
		change *string
		want   string
	}{
		"of the change": {"", &given, given},
		"of the person": {"late@example.com", nil, "late@example.com"},
		"of nobody":     {"", nil, ""},
		"not valid":     {"late at example.com", nil, ""},
	} {
		c := newCase()
		a := add(t, c, hello())
		a.Email.To, c.Person = "", func() (kith.Person, error) { return kith.Person{ID: 3, Email: tt.person}, nil }
		ch := decide(outreach.DecisionApproved)
		ch.To = tt.change
		err := c.Decide(a, ch)
		if e, is := errors.AsType[*kith.Error](err); (tt.want == "") != (is && e.Code == "APPROVAL_WITHOUT_ADDRESS") {
			t.Errorf("%s: %v", name, err)
		}
		if a.Email.To != tt.want || (a.Email.Status == outreach.EmailScheduled) != (tt.want != "") {
			t.Errorf("%s: the e-mail to %q is %s", name, a.Email.To, a.Email.Status)
		}
		expect.NoError(t, c.Decide(a, decide(outreach.DecisionRejected)))
	}
}

// Drafts and decisions report the problems of the request's texts and those of the lead together.
func TestDraftsReportAllProblems(t *testing.T) {
	past, subject, body := noon().Add(-time.Hour), "{zip}", "{street}"
	c := newCase()
	a := add(t, c, hello())
	c.Person = func() (kith.Person, error) { return kith.Person{ID: 3}, nil }
	_, drafted := c.Add(outreach.Draft{Subject: subject, Body: body, ScheduledAt: &past})
	decided := c.Decide(a, outreach.ActivityChange{Subject: &subject, Body: &body, ScheduledAt: &past})
	for field, code := range map[string]string{
		"scheduled_at": "IN_THE_PAST", "subject": "MISSING_VALUE",
		"body": "MISSING_VALUE",
	} {
		wantField(t, drafted, field, code)
		wantField(t, decided, field, code)
	}
	wantField(t, drafted, "to_email", "REQUIRED")
}

func TestClosingALeadCancelsScheduledEmails(t *testing.T) {
	for _, status := range []outreach.LeadStatus{outreach.LeadFinished, outreach.LeadDeleted} {
		c := newCase()
		approved, pending := add(t, c, hello()), add(t, c, hello())
		expect.NoError(t, c.Decide(approved, decide(outreach.DecisionApproved)))
		c.ChangeLead(outreach.LeadChange{Status: &status})
		if approved.Email.Status != outreach.EmailCanceled || pending.Email.Status != outreach.EmailDraft ||
			c.Lead.LatestUpdate == "" {
			t.Errorf("%s: %s and %s", status, approved.Email.Status, pending.Email.Status)
		}
	}
}

// A lead may be closed while an e-mail to it is being sent. If the server defers it, it is canceled.
func TestDeferredEmailsOfClosedLeadsAreCanceled(t *testing.T) {
	c := newCase()
	a := add(t, c, hello())
	a.Email.Status, c.Lead.Status = outreach.EmailSending, outreach.LeadFinished
	if err := c.Deferred(a.Email.ID, "450 later"); err != nil || a.Email.Status != outreach.EmailCanceled ||
		strings.Contains(c.Lead.LatestUpdate, "waits") {
		t.Errorf("e-mail and lead after the deferral: %s, %q, %v", a.Email.Status, c.Lead.LatestUpdate, err)
	}
}

// Under any sequence of calls, states change only along the diagrams, every change is in the history, and no
// e-mail to a closed lead is scheduled.
func TestCasesFollowTheStateDiagrams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCase()
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			before := make([]outreach.EmailStatus, len(c.Emails))
			for i, e := range c.Emails {
				before[i] = e.Status
			}
			lead := c.Lead.Status
			c.Moves = nil
			step(t, c)
			store(c)
			for i, e := range c.Emails {
				if i < len(before) && before[i] != e.Status && !before[i].May(e.Status) {
					t.Fatalf("e-mail went from %s to %s", before[i], e.Status)
				}
				if i < len(before) && before[i] != e.Status && !moved(c, outreach.OfEmail, e.ID, string(e.Status)) {
					t.Fatalf("the history lacks %s", e.Status)
				}
				if e.Status == outreach.EmailScheduled && (c.Lead.Status.Closed() || e.ScheduledAt == nil) {
					t.Fatalf("an e-mail is scheduled at %v although its lead is %s", e.ScheduledAt, c.Lead.Status)
				}
			}
			if lead != c.Lead.Status && !moved(c, outreach.OfLead, c.Lead.ID, string(c.Lead.Status)) {
				t.Fatalf("the history lacks %s", c.Lead.Status)
			}
		}
	})
}

func moved(c *outreach.Case, subject outreach.Subject, id int64, to string) bool {
	return slices.ContainsFunc(c.Moves,
		func(m outreach.Move) bool { return m.Subject == subject && m.ID() == id && m.To == to })
}

// step performs one allowed or refused operation of a caller.
func step(t *rapid.T, c *outreach.Case) {
	switch rapid.IntRange(0, 3).Draw(t, "what") {
	case 0:
		_, _ = c.Add(hello())
	case 1:
		status := rapid.SampledFrom(outreach.LeadStatuses()).Draw(t, "status")
		c.ChangeLead(outreach.LeadChange{Status: &status})
	default:
		if len(c.Activities) > 0 {
			a := rapid.SampledFrom(c.Activities).Draw(t, "activity")
			_ = c.Decide(a, decide(rapid.SampledFrom(outreach.Decisions()).Draw(t, "decision")))
		}
	}
}
