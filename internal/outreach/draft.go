package outreach

import (
	"time"

	"kith"
)

// Draft is an e-mail to create for one lead, from a template or from text.
type Draft struct {
	// Template is the id of a template of the sequence; 0 means that Subject and Body are the text.
	Template      int64
	Subject, Body string
	// Variables are values of placeholders; they override those of the lead.
	Variables   []Variable
	From, To    string
	ScheduledAt *time.Time
	Integration int64
	InThread    bool
	Note        string
	Prompt      string
	Confidence  *float64
}

// Variable is the value of a placeholder.
type Variable struct{ Name, Value string }

// Add adds an e-mail with a pending activity and returns the activity. It is a Conflict if the lead is closed or has
// [MaxEmails] e-mails, and Invalid if a placeholder has no value.
func (c *Case) Add(d Draft) (*Activity, error) {
	if err := c.checkOpen(); err != nil {
		return nil, err
	}
	if len(c.Emails) >= MaxEmails {
		return nil, kith.Errorf(kith.Conflict, "TOO_MANY_EMAILS", "the lead has %d e-mails, the maximum", len(c.Emails))
	}
	subject, body, problems, err := c.rendered(&d.Subject, &d.Body, d.Integration, d.Variables)
	if err != nil {
		return nil, err
	}
	unknown, err := c.checkIntegration(d.Integration)
	if err != nil {
		return nil, err
	}
	problems = append(problems, unknown...)
	to := d.To
	if to == "" {
		p, err := c.Person()
		if err != nil {
			return nil, err
		}
		if to = p.Email; to == "" {
			problems = append(problems, kith.FieldError{
				Field: "to_email", Code: "REQUIRED",
				Message: "must be given: the person has no e-mail address on record",
			})
		}
	}
	if err := kith.InvalidFields(append(c.checkSendTime(d.ScheduledAt), problems...)); err != nil {
		return nil, err
	}
	e := &Email{
		SequenceID: c.Sequence.ID, LeadID: c.Lead.ID, PersonID: c.Lead.PersonID, Subject: subject,
		Content: Written(body),
		From:    d.From, To: kith.NormalEmail(to), Status: EmailDraft, ScheduledAt: d.ScheduledAt, CreatedAt: c.Now,
		Integration: d.Integration, InThread: d.InThread,
	}
	if d.InThread {
		e.Root = c.root(e)
	}
	a := &Activity{
		Type: TypeOutgoing, Decision: DecisionPending, Confidence: d.Confidence, Note: d.Note, Prompt: d.Prompt,
		CreatedAt: c.Now, Email: e,
	}
	c.Emails, c.Activities = append(c.Emails, e), append(c.Activities, a)
	c.addMove(Move{Subject: OfEmail, email: e, To: string(EmailDraft)})
	c.addMove(Move{Subject: OfActivity, activity: a, To: string(DecisionPending)})
	c.advance(LeadPending, "an e-mail waits for a decision")
	c.update("E-mail drafted")
	return a, nil
}
