package outreach

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kith"
)

// Case is a lead with its e-mails and activities, locked for a change.
type Case struct {
	Sequence   SequenceRef
	Lead       Lead
	Emails     []*Email // by id; new ones come last
	Activities []*Activity
	// Moves are the changes so far, in order.
	Moves []Move

	// Person reads the person of the lead.
	Person func() (kith.Person, error)
	// Refused reports whether an address is suppressed.
	Refused func(address string) (bool, error)
	// By says who makes the change; Now is its time.
	By  string
	Now time.Time
	// SenderEmail is the user's address, used for placeholders.
	SenderEmail string
	// Sender returns the sender name of one of the user's integrations; known is false if the
	// user has no such integration.
	Sender func(integration int64) (name string, known bool, err error)
}

// checkIntegration returns a field error if the user has no such integration; 0 means none.
func (c *Case) checkIntegration(integration int64) ([]kith.FieldError, error) {
	if integration == 0 {
		return nil, nil
	}
	_, known, err := c.Sender(integration)
	if err != nil || known {
		return nil, err
	}
	return []kith.FieldError{{
		Field: "user_integration_id", Code: "INTEGRATION_NOT_FOUND",
		Message: fmt.Sprintf("must be the id of an integration of yours, as GET /v2/user/integrations lists them (got "+
			"%d)",
			integration),
	}}, nil
}

// MaxEmails limits the e-mails of a lead.
const MaxEmails = 100

// ChangeLead applies a caller's change to the lead. Finishing or deleting a lead cancels
// its scheduled e-mails. Values that are already set record no change.
func (c *Case) ChangeLead(ch LeadChange) {
	var edits []string
	if ch.SetIntroducers && !slices.Equal(ch.Introducers, c.Lead.Introducers) {
		c.Lead.Introducers = ch.Introducers
		edits = append(edits, "selected_introducers")
	}
	if ch.SetNextFollowup && !sameTime(ch.NextFollowup, c.Lead.NextFollowup) {
		c.Lead.NextFollowup = ch.NextFollowup
		edits = append(edits, "next_followup_at")
	}
	from := c.Lead.Status
	if ch.Status != nil {
		c.Lead.Status = *ch.Status
	}
	if c.Lead.Status != from || len(edits) > 0 {
		c.leadMoved(from, changed(edits))
	}
	if c.Lead.Status != from {
		c.update("Lead set to " + strings.ReplaceAll(string(c.Lead.Status), "_", " "))
	}
	if c.Lead.Status.Closed() {
		c.cancelScheduled("the lead is " + string(c.Lead.Status))
	}
}

func sameTime(a, b *time.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

// advance moves the lead forward; a lead that is already further stays there.
func (c *Case) advance(to LeadStatus, reason string) {
	if from := c.Lead.Status; from.advances(to) {
		c.Lead.Status = to
		c.leadMoved(from, reason)
	}
}

func (c *Case) leadMoved(from LeadStatus, reason string) {
	c.addMove(Move{Subject: OfLead, id: c.Lead.ID, From: string(from), To: string(c.Lead.Status), Reason: reason})
}

// addMove records a move with the current time and actor.
func (c *Case) addMove(m Move) {
	m.At, m.By = c.Now, c.By
	c.Moves = append(c.Moves, m)
}

// checkOpen returns a Conflict if the lead is closed, so that nothing may be sent to it.
func (c *Case) checkOpen() error {
	if !c.Lead.Status.Closed() {
		return nil
	}
	return kith.Errorf(kith.Conflict, "LEAD_CLOSED",
		"the lead is %s, so nothing is sent to it; set its status to active first", c.Lead.Status)
}

// checkSuppressed returns a Conflict if the address is suppressed.
func (c *Case) checkSuppressed(address string) error {
	refused, err := c.Refused(address)
	if err != nil || !refused {
		return err
	}
	return kith.Errorf(kith.Conflict, "SUPPRESSED",
		"the address of the e-mail is suppressed: its owner opted out, or it cannot be reached")
}

// clockSkew is how far a caller's clock may be behind ours when it asks to send an e-mail at once.
const clockSkew = 10 * time.Second

// checkSendTime returns a field error for a send time in the past, else nil.
func (c *Case) checkSendTime(at *time.Time) []kith.FieldError {
	if at == nil || !at.Before(c.Now.Add(-clockSkew)) {
		return nil
	}
	return []kith.FieldError{{
		Field: "scheduled_at", Code: "IN_THE_PAST", Message: "must be in the future; leave it out to send on approval",
	}}
}

// cancelScheduled cancels e-mails that delivery has not claimed yet.
func (c *Case) cancelScheduled(reason string) {
	for _, e := range c.Emails {
		if e.Status == EmailScheduled {
			c.mustMoveEmail(e, EmailCanceled, reason)
		}
	}
}

// moveEmail changes the state of an e-mail, or fails if the transition is not allowed.
func (c *Case) moveEmail(e *Email, to EmailStatus, reason string) error {
	from := e.Status
	if from == to {
		return nil
	}
	if !from.May(to) {
		return fmt.Errorf("outreach: an e-mail that is %s cannot become %s", from, to)
	}
	e.Status = to
	c.addMove(Move{Subject: OfEmail, email: e, From: string(from), To: string(to), Reason: reason})
	return nil
}

// mustMoveEmail is moveEmail for transitions that the caller knows to be allowed; it panics otherwise.
func (c *Case) mustMoveEmail(e *Email, to EmailStatus, reason string) {
	if err := c.moveEmail(e, to, reason); err != nil {
		panic(err)
	}
}

// update sets the lead's latest update, a text for people.
func (c *Case) update(text string) {
	at := c.Now
	c.Lead.LatestUpdate, c.Lead.LatestUpdateAt = text, &at
}

// Activity returns the activity with an id, or nil.
func (c *Case) Activity(id int64) *Activity {
	for _, a := range c.Activities {
		if a.ID == id {
			return a
		}
	}
	return nil
}

// root returns the thread that an answer belongs to: that of the e-mail before it, or 0 if there is none.
func (c *Case) root(of *Email) int64 {
	var root int64
	for _, e := range c.Emails {
		if e != of && (of.ID == 0 || e.ID < of.ID) && e.Status != EmailCanceled {
			root = e.Thread()
		}
	}
	return root
}

// changed joins the names of edited fields: "changed subject, body".
func changed(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "changed " + strings.Join(names, ", ")
}
