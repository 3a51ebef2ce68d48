package outreach

import (
	"fmt"
	"slices"
	"time"

	"kith"
)

// Loaded is a whole sequence as it comes from a file or is given to a new user:
// in whatever states its leads and e-mails are.
type Loaded struct {
	Sequence Sequence
	Leads    []LoadedLead
	// KeepStatus says that no status was given: a sequence that is there keeps its own.
	KeepStatus bool
}

// LoadedLead is a lead of it.
type LoadedLead struct {
	// Identifier names the person where Lead has no PersonID: a profile URL.
	Identifier string
	Lead       Lead
	Emails     []LoadedEmail
	keepStatus bool // as of [Loaded]
}

// Keep fills in from the lead that is there already what was left out.
func (l *LoadedLead) Keep(before Lead) {
	if l.keepStatus {
		l.Lead.Status = before.Status
	}
	if len(l.Lead.Introducers) == 0 {
		l.Lead.Introducers = before.Introducers
	}
	if l.Lead.NextFollowup == nil {
		l.Lead.NextFollowup = before.NextFollowup
	}
	l.cancelScheduled()
}

// cancelScheduled cancels what is scheduled for a closed lead, as where a lead is closed.
func (l *LoadedLead) cancelScheduled() {
	for i := range l.Emails {
		if e := &l.Emails[i].Email; e.Status == EmailScheduled && l.Lead.Status.Closed() {
			e.Status = EmailCanceled
		}
	}
}

// LoadedEmail is an e-mail of it, with what was decided.
type LoadedEmail struct {
	Email    Email
	Activity Activity
}

// Fill fills in what was left out, as of now: a sequence and an e-mail are
// drafts, a lead is not started, what is scheduled is due, what was sent is
// approved.
func (l *Loaded) Fill(now time.Time) {
	s := &l.Sequence
	l.KeepStatus = s.Status == ""
	s.Status = orElse(s.Status, SequenceDraft)
	s.CreatedAt, s.Templates = now, numbered(s.Templates)
	for i := range l.Leads {
		lead := &l.Leads[i]
		lead.keepStatus = lead.Lead.Status == ""
		lead.Lead.Status = orElse(lead.Lead.Status, LeadNotStarted)
		lead.Lead.CreatedAt = now
		for k := range lead.Emails {
			lead.Emails[k].fill(now)
		}
		lead.cancelScheduled()
	}
}

func (l *LoadedEmail) fill(now time.Time) {
	e, a := &l.Email, &l.Activity
	e.Status = orElse(e.Status, EmailDraft)
	e.CreatedAt, a.CreatedAt = now, now
	if e.ScheduledAt == nil && (e.Status == EmailScheduled || e.Status == EmailSending) {
		e.ScheduledAt = &now
	}
	if e.SentAt == nil && e.Status == EmailSent {
		e.SentAt = &now
	}
	if c := e.Content; c != nil && c.HTMLBody == "" && c.TextBody == "" {
		e.Content = Written(c.Body)
	}
	a.Type = orElse(a.Type, TypeOutgoing)
	a.Decision = orElse(a.Decision, decisionOf(e.Status))
	if a.Decision != DecisionPending && a.ConfirmedAt == nil {
		a.ConfirmedAt = &now
	}
}

// decisionOf is the decision that must have led to a state.
func decisionOf(s EmailStatus) Decision {
	switch s {
	case EmailDraft:
		return DecisionPending
	case EmailCanceled:
		return DecisionRejected
	case EmailScheduled, EmailSending, EmailSent, EmailFailed:
	}
	return DecisionApproved
}

func orElse[T ~string](s, other T) T {
	if s == "" {
		return other
	}
	return s
}

// Limits of a loaded content, in code points: its markup takes room too.
const maxLoadedBody = 10 * MaxBody

// Check returns every problem of what was loaded, once it is filled in.
func (l Loaded) Check() []kith.FieldError {
	c := checker{problems: l.Sequence.Check()}
	for i, lead := range l.Leads {
		lead.check(&c, fmt.Sprintf("leads[%d]", i))
	}
	return c.problems
}

func (l LoadedLead) check(c *checker, at string) {
	if l.Identifier == "" && l.Lead.PersonID == 0 {
		c.fail(at+".social_url", "REQUIRED", "must be given")
	}
	if !slices.Contains(LeadStatuses(), l.Lead.Status) {
		c.fail(at+".status", "INVALID_VALUE", "must be active, not_started, pending, finished or deleted")
	}
	if l.Lead.Stage < 0 || l.Lead.Stage > MaxEmails {
		c.fail(at+".pipeline_stage", "OUT_OF_RANGE", fmt.Sprintf("must be from 0 to %d", MaxEmails))
	}
	checkIntroducers(c, at+".selected_introducers", l.Lead.Introducers)
	if len(l.Emails) > MaxEmails {
		c.fail(at+".emails", "TOO_MANY", fmt.Sprintf("must have at most %d entries", MaxEmails))
	}
	for i, e := range l.Emails {
		e.check(c, fmt.Sprintf("%s.emails[%d]", at, i))
	}
}

func (l LoadedEmail) check(c *checker, at string) {
	e, a := l.Email, l.Activity
	if !slices.Contains(EmailStatuses(), e.Status) {
		c.fail(at+".status", "INVALID_VALUE", "must be draft, scheduled, sending, sent, failed or canceled")
	}
	c.text(at+".subject", e.Subject, MaxSubject, false)
	c.optionalAddress(at+".from", e.From)
	c.optionalAddress(at+".to", e.To)
	if e.Content != nil {
		c.text(at+".content.body", e.Content.Body, maxLoadedBody, true)
		c.text(at+".content.html_body", e.Content.HTMLBody, maxLoadedBody, true)
		c.text(at+".content.text_body", e.Content.TextBody, maxLoadedBody, true)
	}
	if e.Status != EmailSent {
		l.checkFilled(c, at)
	}
	if !slices.Contains(Decisions(), a.Decision) {
		c.fail(at+".activity.decision", "INVALID_VALUE", "must be pending, approved or rejected")
	} else if e.Status == EmailScheduled && a.Decision != DecisionApproved {
		c.fail(at+".activity.decision", "INVALID_VALUE",
			"must be approved, or left out: the e-mail is scheduled, so it would be sent")
	}
	c.text(at+".activity.activity_type", a.Type, maxKind, false)
	c.text(at+".activity.note", a.Note, MaxNote, true)
	c.text(at+".activity.ai_prompt", a.Prompt, MaxDescription, true)
	c.confidence(at+".activity.ai_confidence_score", a.Confidence)
}

// checkFilled refuses placeholders: what is loaded goes out as it is.
func (l LoadedEmail) checkFilled(c *checker, at string) {
	texts := [][2]string{{"subject", l.Email.Subject}}
	if content := l.Email.Content; content != nil {
		texts = append(texts, [2]string{"content.body", content.Body}, [2]string{"content.html_body", content.HTMLBody},
			[2]string{"content.text_body", content.TextBody})
	}
	for _, part := range texts {
		field, text := part[0], part[1]
		if found := placeholder.FindString(text); found != "" {
			c.fail(at+"."+field, "MISSING_VALUE", fmt.Sprintf("has the placeholder %.40s, which nobody fills in: an e-mail "+
				"is loaded as it is to be sent; write it out", found))
			return // the forms of a content are made of its body
		}
	}
}
