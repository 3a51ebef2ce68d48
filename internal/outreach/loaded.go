package outreach

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kith"
)

// Loaded is a whole sequence, read from a file or given to a new user. Its leads and e-mails may be in any state.
type Loaded struct {
	Sequence Sequence
	Leads    []LoadedLead
	// NoDescription and NoInstructions are true for a text given as "": it empties that of an existing sequence.
	NoDescription, NoInstructions bool
	// keepStatus and keepTemplates are true if none were given: an existing sequence keeps its own.
	keepStatus, keepTemplates bool
}

// Keep fills in missing fields from the existing sequence. Templates are missing if they are nil.
func (l *Loaded) Keep(before Sequence) {
	s := &l.Sequence
	if l.keepStatus {
		s.Status = before.Status
	}
	if !l.NoDescription {
		s.Description = cmp.Or(s.Description, before.Description)
	}
	if !l.NoInstructions {
		s.Instructions = cmp.Or(s.Instructions, before.Instructions)
	}
	if l.keepTemplates {
		s.Templates = before.Templates
	}
}

// LoadedLead is a lead of a loaded sequence.
type LoadedLead struct {
	// Identifier is the profile URL of the person if Lead has no PersonID.
	Identifier string
	Lead       Lead
	Emails     []LoadedEmail
	keepStatus bool // as in [Loaded]
}

// Keep fills in missing fields from the existing lead. Introducers are missing if they are nil.
func (l *LoadedLead) Keep(before Lead) {
	if l.keepStatus {
		l.Lead.Status = before.Status
	}
	if l.Lead.Introducers == nil {
		l.Lead.Introducers = before.Introducers
	}
	l.Lead.NextFollowup = cmp.Or(l.Lead.NextFollowup, before.NextFollowup)
	l.cancelScheduled()
}

// cancelScheduled cancels scheduled e-mails of a closed lead, as closing it would.
func (l *LoadedLead) cancelScheduled() {
	for i := range l.Emails {
		if e := &l.Emails[i].Email; e.Status == EmailScheduled && l.Lead.Status.Closed() {
			e.Status = EmailCanceled
		}
	}
}

// LoadedEmail is an e-mail of a loaded lead, with its decision.
type LoadedEmail struct {
	Email    Email
	Activity Activity
}

// Fill sets defaults: sequences and e-mails are drafts, leads are not started, scheduled
// e-mails are due now, sent e-mails are approved.
func (l *Loaded) Fill(now time.Time) {
	s := &l.Sequence
	l.keepStatus, l.keepTemplates = s.Status == "", s.Templates == nil
	s.Status = cmp.Or(s.Status, SequenceDraft)
	s.CreatedAt, s.Templates = now, numbered(s.Templates)
	for i := range l.Leads {
		lead := &l.Leads[i]
		lead.keepStatus = lead.Lead.Status == ""
		lead.Lead.Status = cmp.Or(lead.Lead.Status, LeadNotStarted)
		lead.Lead.CreatedAt = now
		for k := range lead.Emails {
			lead.Emails[k].fill(now)
		}
		lead.cancelScheduled()
	}
}

func (l *LoadedEmail) fill(now time.Time) {
	e, a := &l.Email, &l.Activity
	e.Status = cmp.Or(e.Status, EmailDraft)
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
	a.Type = cmp.Or(a.Type, TypeOutgoing)
	a.Decision = cmp.Or(a.Decision, impliedDecision(e.Status))
	if a.Decision != DecisionPending && a.ConfirmedAt == nil {
		a.ConfirmedAt = &now
	}
}

// impliedDecision returns the decision that must have led to a state.
func impliedDecision(s EmailStatus) Decision {
	switch s {
	case EmailDraft:
		return DecisionPending
	case EmailCanceled:
		return DecisionRejected
	case EmailScheduled, EmailSending, EmailSent, EmailFailed:
	}
	return DecisionApproved
}

// maxLoadedBody limits a loaded content in code points. It allows for the markup.
const maxLoadedBody = 10 * MaxBody

// Check returns every problem of a loaded sequence; call Fill first.
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
	c.checkRange(at+".pipeline_stage", l.Lead.Stage, 0, MaxEmails)
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

// checkFilled refuses placeholders: loaded e-mails are sent unchanged.
func (l LoadedEmail) checkFilled(c *checker, at string) {
	texts := [][2]string{{"subject", l.Email.Subject}}
	if content := l.Email.Content; content != nil {
		texts = append(texts, [2]string{"content.body", content.Body}, [2]string{"content.html_body", content.HTMLBody},
			[2]string{"content.text_body", content.TextBody})
	}
	for _, part := range texts {
		field, text := part[0], part[1]
		if found := placeholder.FindString(text); found != "" {
			c.fail(at+"."+field, "MISSING_VALUE", fmt.Sprintf("has the placeholder %.40s: loaded e-mails are sent as "+
				"they "+"are; write the value out", found))
			return // both forms derive from the body
		}
	}
}
