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
	Emails     []*Email // by number; new ones come last
	Activities []*Activity
	// Moves are what changed, in order.
	Moves []Move

	// Person reads the person of the lead.
	Person func() (kith.Person, error)
	// Refused reports whether an address must not be written to.
	Refused func(address string) (bool, error)
	// By is who makes the change, Now when.
	By  string
	Now time.Time
	// SenderEmail is the user's address, for placeholders.
	SenderEmail string
	// Sender reads the name that an integration of the user's sends under; known is
	// false where the user has no such integration.
	Sender func(integration int64) (name string, known bool, err error)
}

// integrationOf says what is wrong with the integration that a caller names; 0 is none.
func (c *Case) integrationOf(integration int64) ([]kith.FieldError, error) {
	if integration == 0 {
		return nil, nil
	}
	_, known, err := c.Sender(integration)
	if err != nil || known {
		return nil, err
	}
	return []kith.FieldError{{
		Field: "user_integration_id", Code: "INTEGRATION_NOT_FOUND",
		Message: fmt.Sprintf("must be the id of an integration of yours, as GET /v2/user/integrations lists them (got %d)",
			integration),
	}}, nil
}

// MaxEmails is how many e-mails a lead may have.
const MaxEmails = 100

// ChangeLead changes the lead as a caller asks. Finishing or deleting it
// cancels what is scheduled. What is asked to be as it is has not changed.
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
	switch {
	case c.Lead.Status != from:
		c.leadMoved(from, list("changed", edits))
		c.update("Lead set to " + words(string(c.Lead.Status)))
	case len(edits) > 0:
		c.leadMoved(from, list("changed", edits))
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

// advance moves the lead forward; one that is further already stays.
func (c *Case) advance(to LeadStatus, reason string) {
	if from := c.Lead.Status; from.advances(to) {
		c.Lead.Status = to
		c.leadMoved(from, reason)
	}
}

func (c *Case) leadMoved(from LeadStatus, reason string) {
	c.moved(Move{Subject: OfLead, id: c.Lead.ID, From: string(from), To: string(c.Lead.Status), Reason: reason})
}

// moved adds a move, made now.
func (c *Case) moved(m Move) {
	m.At, m.By = c.Now, c.By
	c.Moves = append(c.Moves, m)
}

// open returns a Conflict for a lead that nothing is sent to.
func (c *Case) open() error {
	if !c.Lead.Status.Closed() {
		return nil
	}
	return kith.Errorf(kith.Conflict, "LEAD_CLOSED",
		"the lead is %s, so nothing is sent to it; set its status to active first", c.Lead.Status)
}

// welcome returns a Conflict for an address that must not be written to.
func (c *Case) welcome(address string) error {
	refused, err := c.Refused(address)
	if err != nil || !refused {
		return err
	}
	return kith.Errorf(kith.Conflict, "SUPPRESSED",
		"the address of the e-mail asked not to be written to, or cannot be reached; nothing is sent to it")
}

// clockSkew is how far behind ours a caller's clock may be when it asks for an
// e-mail to be sent at once.
const clockSkew = 10 * time.Second

// inTime returns what is wrong with a time in the past, at which nothing can be sent;
// nil is none.
func (c *Case) inTime(at *time.Time) []kith.FieldError {
	if at == nil || !at.Before(c.Now.Add(-clockSkew)) {
		return nil
	}
	return []kith.FieldError{{
		Field: "scheduled_at", Code: "IN_THE_PAST",
		Message: "must be a time to come; leave it out to send as soon as it is approved",
	}}
}

// cancelScheduled cancels what was not handed to delivery yet.
func (c *Case) cancelScheduled(reason string) {
	for _, e := range c.Emails {
		if e.Status == EmailScheduled {
			c.mustMoveEmail(e, EmailCanceled, reason)
		}
	}
}

// moveEmail moves an e-mail, or says that it cannot go there.
func (c *Case) moveEmail(e *Email, to EmailStatus, reason string) error {
	from := e.Status
	if from == to {
		return nil
	}
	if !from.May(to) {
		return fmt.Errorf("outreach: an e-mail that is %s cannot become %s", from, to)
	}
	e.Status = to
	c.moved(Move{Subject: OfEmail, email: e, From: string(from), To: string(to), Reason: reason})
	return nil
}

// mustMoveEmail is moveEmail for moves of which the caller has seen that the
// table allows them.
func (c *Case) mustMoveEmail(e *Email, to EmailStatus, reason string) {
	if err := c.moveEmail(e, to, reason); err != nil {
		panic(err)
	}
}

// update notes what happened last, for people to read.
func (c *Case) update(text string) {
	at := c.Now
	c.Lead.LatestUpdate, c.Lead.LatestUpdateAt = text, &at
}

// Activity returns the activity of a number.
func (c *Case) Activity(id int64) *Activity {
	for _, a := range c.Activities {
		if a.ID == id {
			return a
		}
	}
	return nil
}

// root is the thread that an answer goes into: that of the e-mail before it; 0
// where there is none.
func (c *Case) root(of *Email) int64 {
	var root int64
	for _, e := range c.Emails {
		if e != of && (of.ID == 0 || e.ID < of.ID) && e.Status != EmailCanceled {
			root = e.Thread()
		}
	}
	return root
}

// list joins what was edited: "changed subject, body".
func list(verb string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return verb + " " + strings.Join(names, ", ")
}

// words writes a state as people read it.
func words(status string) string { return strings.ReplaceAll(status, "_", " ") }
