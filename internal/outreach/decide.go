package outreach

import (
	"slices"
	"time"

	"kith"
)

// Decide edits an activity of the case and, if the change has a decision, decides about it. On error nothing changes: a
// Conflict if delivery has claimed the e-mail, or if it would schedule an e-mail to a closed lead, to a suppressed
// address or without an address; Invalid for a time in the past or placeholders without a value; Forbidden for an edit
// of an approved e-mail by a caller who may not send. An approved e-mail without an address takes that of its person.
func (c *Case) Decide(a *Activity, ch ActivityChange) error {
	if err := c.decidable(a, &ch); err != nil {
		return err
	}
	if a.Email != nil {
		if err := c.edit(a.Email, ch); err != nil {
			return err
		}
	}
	edits := ch.editedFields()
	if ch.Note != nil {
		a.Note = *ch.Note
		edits = append(edits, "note")
	}
	from := a.Decision
	if ch.Decision != nil {
		c.applyDecision(a, *ch.Decision, ch.ScheduledAt)
	}
	if len(edits) > 0 || ch.Decision != nil {
		c.addMove(Move{
			Subject: OfActivity, activity: a, From: string(from), To: string(a.Decision), Reason: changed(edits),
		})
	}
	return nil
}

// decidable returns the reason why the change is not possible at all. It adds the person's address to the change.
func (c *Case) decidable(a *Activity, ch *ActivityChange) error {
	edits := ch.editedFields()
	if a.Email == nil {
		if len(edits) > 0 {
			return kith.Errorf(kith.Conflict, "ACTIVITY_WITHOUT_EMAIL",
				"this activity has no editable e-mail; send decision and note only")
		}
		return nil
	}
	if a.Email.Status.Handed() && (ch.Decision != nil || len(edits) > 0) {
		return kith.Errorf(kith.Conflict, "ACTIVITY_ALREADY_SENT",
			"the e-mail is already %s: only its note can be changed", a.Email.Status)
	}
	if !ch.MaySend && ch.editsApproved(*a.Email) {
		return kith.Errorf(kith.Forbidden, "INSUFFICIENT_SCOPE",
			"the e-mail is approved, and editing it needs the scope outreach:send; make it a draft first (pending)")
	}
	if ch.approves() {
		if err := c.checkOpen(); err != nil {
			return err
		}
		if err := c.address(a.Email, ch); err != nil {
			return err
		}
	}
	if to := ch.addressee(*a.Email); to != "" {
		return c.checkSuppressed(to)
	}
	return nil
}

// address adds the person's address to the approval of an e-mail without one. It is a Conflict if the person has none.
func (c *Case) address(e *Email, ch *ActivityChange) error {
	if e.To != "" || ch.To != nil {
		return nil
	}
	p, err := c.Person()
	if err != nil && !isNotFound(err) {
		return err
	}
	if !kith.ValidEmail(p.Email) {
		return kith.Errorf(kith.Conflict, "APPROVAL_WITHOUT_ADDRESS",
			"neither the e-mail nor the record of its person "+"has an e-mail address; edit it and add one (to_email)")
	}
	ch.To = &p.Email
	return nil
}

// edit changes an e-mail that delivery has not claimed.
func (c *Case) edit(e *Email, ch ActivityChange) error {
	integration := e.Integration
	var unknown []kith.FieldError
	if ch.Integration != nil {
		integration = *ch.Integration
		var err error
		if unknown, err = c.checkIntegration(integration); err != nil {
			return err
		}
	}
	subject, body, problems, err := c.rendered(ch.Subject, ch.Body, integration, nil)
	if err == nil {
		err = kith.InvalidFields(slices.Concat(c.checkSendTime(ch.ScheduledAt), unknown, problems))
	}
	if err != nil {
		return err
	}
	if ch.Subject != nil {
		e.Subject = subject
	}
	if ch.Body != nil {
		e.Content = Written(body)
	}
	if ch.From != nil {
		e.From = *ch.From
	}
	if ch.To != nil {
		e.To = kith.NormalEmail(*ch.To)
	}
	e.Integration = integration
	if ch.ScheduledAt != nil {
		at := *ch.ScheduledAt
		e.ScheduledAt, e.DueAt = &at, &at
	}
	if ch.Untimed {
		if e.ScheduledAt, e.DueAt = nil, nil; e.Status == EmailScheduled {
			c.schedule(e, nil)
		}
	}
	if ch.InThread != nil {
		e.InThread, e.Root = *ch.InThread, 0
		if e.InThread {
			e.Root = c.root(e)
		}
	}
	return nil
}

// applyDecision applies a decision that is known to be allowed.
func (c *Case) applyDecision(a *Activity, d Decision, at *time.Time) {
	a.Decision, a.ConfirmedAt = d, nil
	if d != DecisionPending {
		now := c.Now
		a.ConfirmedAt = &now
	}
	if a.Email == nil {
		return
	}
	switch d {
	case DecisionApproved:
		c.schedule(a.Email, at)
		c.advance(LeadActive, "an e-mail was approved")
		c.update("E-mail approved")
	case DecisionRejected:
		c.mustMoveEmail(a.Email, EmailCanceled, "rejected")
		c.update("E-mail rejected")
	case DecisionPending:
		c.mustMoveEmail(a.Email, EmailDraft, "back to undecided")
		c.advance(LeadPending, "an e-mail waits for a decision")
		c.update("E-mail waits for a decision")
	}
}

// schedule schedules an e-mail for the given time, its own time, or now if that has passed.
func (c *Case) schedule(e *Email, at *time.Time) {
	if at == nil && (e.ScheduledAt == nil || e.ScheduledAt.Before(c.Now)) {
		now := c.Now
		e.ScheduledAt = &now
	}
	e.DueAt = e.ScheduledAt
	c.mustMoveEmail(e, EmailScheduled, "approved")
}
