package outreach

import (
	"context"
	"time"
)

// FeedbackType is an event about an e-mail after it was sent.
type FeedbackType string

// The types of feedback.
const (
	FeedbackOpened    FeedbackType = "opened"
	FeedbackClicked   FeedbackType = "clicked"
	FeedbackForwarded FeedbackType = "forwarded"
	FeedbackReplied   FeedbackType = "replied"
	FeedbackBounced   FeedbackType = "bounced"
	FeedbackComplaint FeedbackType = "complained"
)

// Feedback is one event about a sent e-mail.
type Feedback struct {
	Type FeedbackType
	// MessageID is the Message-ID header, with or without angle brackets.
	MessageID string
	// At is the time of the event; nil means now.
	At *time.Time
	// Auto is true for an automatic reply.
	Auto bool
	// Hard is true for a permanent bounce.
	Hard bool
}

// Suppresses reports whether the event suppresses the address.
func (f Feedback) Suppresses() bool {
	return f.Type == FeedbackComplaint || f.Type == FeedbackBounced && f.Hard
}

// FeedbackResult is the outcome of one event.
type FeedbackResult string

// The outcomes.
const (
	FeedbackApplied   FeedbackResult = "applied"
	FeedbackUnchanged FeedbackResult = "unchanged"
	FeedbackUnknown   FeedbackResult = "unknown"
)

// ApplyFeedback applies feedback to an e-mail of the case, and reports whether anything changed. Each type counts once
// per e-mail. A reply from a person finishes the lead. A later reply finishes it again if it was reopened in between.
func (c *Case) ApplyFeedback(email int64, f Feedback) bool {
	e := c.email(email)
	if e == nil {
		return false
	}
	at := c.Now
	if f.At != nil && f.At.Before(at) {
		at = *f.At
	}
	switch f.Type {
	case FeedbackOpened:
		return c.recordFirst(e, &e.OpenedAt, at, "E-mail opened")
	case FeedbackClicked:
		return c.clicked(e, at)
	case FeedbackForwarded:
		return c.recordFirst(e, &e.ForwardedAt, at, "E-mail forwarded")
	case FeedbackReplied:
		return c.replied(e, at, f.Auto)
	case FeedbackBounced:
		return c.bounced(e, at, f.Hard)
	case FeedbackComplaint:
		if c.Lead.Status.Closed() {
			return false
		}
		c.Unsubscribed("the recipient complained")
		return true
	}
	return false
}

// clicked records a click. A click also counts as an open if there was none before.
func (c *Case) clicked(e *Email, at time.Time) bool {
	clicked := c.recordFirst(e, &e.ClickedAt, at, "Link in the e-mail opened")
	if clicked && e.OpenedAt == nil {
		e.OpenedAt = &at
	}
	return clicked
}

// bounced records a bounce. A hard bounce unsubscribes the lead, even after a soft bounce.
func (c *Case) bounced(e *Email, at time.Time, hard bool) bool {
	bounced := c.recordFirst(e, &e.BouncedAt, at, "E-mail bounced")
	if !hard || !bounced && c.Lead.Status.Closed() {
		return bounced
	}
	c.Unsubscribed("the address cannot be reached")
	return true
}

// recordFirst records the first occurrence of an event.
func (c *Case) recordFirst(e *Email, first **time.Time, at time.Time, text string) bool {
	if *first != nil {
		return false
	}
	*first = &at
	c.addMove(Move{Subject: OfEmail, email: e, From: string(e.Status), To: string(e.Status), Reason: text})
	c.update(text)
	return true
}

func (c *Case) replied(e *Email, at time.Time, auto bool) bool {
	if auto {
		if text := "Automatic reply"; c.Lead.LatestUpdate != text {
			c.update(text)
			return true
		}
		return false
	}
	if again := e.RepliedAt != nil && at.After(*e.RepliedAt); again && !c.Lead.Status.Closed() {
		e.RepliedAt = nil // the lead was reopened, and has replied again
	}
	if !c.recordFirst(e, &e.RepliedAt, at, "Replied") {
		return false
	}
	c.advance(LeadFinished, "the lead replied")
	c.cancelScheduled("the lead replied")
	return true
}

// FeedbackStore stores feedback.
type FeedbackStore interface {
	// FeedbackSecret returns the key that signs an integration's feedback; NotFound if there is no such integration.
	FeedbackSecret(ctx context.Context, user, integration int64) ([]byte, error)
	// ApplyFeedback finds the event's e-mail among those that the integration sent, and stores what
	// apply changes in its case. For an unknown e-mail it returns FeedbackUnknown.
	ApplyFeedback(ctx context.Context, user, integration int64, f Feedback,
		apply func(c *Case, email int64) bool) (FeedbackResult, error)
	// RecordFeedback does the same for an e-mail by id that was sent or has failed, if no such event is recorded yet.
	// Otherwise it returns FeedbackUnknown.
	RecordFeedback(ctx context.Context, user, email int64, f FeedbackType,
		apply func(c *Case, email int64) bool) (FeedbackResult, error)
}

// Listener receives feedback.
type Listener struct {
	store FeedbackStore
	now   func() time.Time
}

// NewListener returns a listener; a nil now is time.Now.
func NewListener(store FeedbackStore, now func() time.Time) *Listener {
	if now == nil {
		now = time.Now
	}
	return &Listener{store: store, now: now}
}

// Verify returns Unauthorized unless the integration's key signed the body recently; see [SignatureAge].
func (l *Listener) Verify(ctx context.Context, user, integration int64, signature string, body []byte) error {
	secret, err := l.store.FeedbackSecret(ctx, user, integration)
	if err != nil {
		return err
	}
	return VerifySignature(secret, signature, body, l.now())
}

// ApplyFeedback applies events one by one. Result i belongs to event i.
func (l *Listener) ApplyFeedback(ctx context.Context, user, integration int64,
	events []Feedback,
) ([]FeedbackResult, error) {
	out := make([]FeedbackResult, len(events))
	for i, f := range events {
		var err error
		if out[i], err = l.store.ApplyFeedback(ctx, user, integration, f, l.applying(f)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// RecordFeedback records that the recipient followed a link in an e-mail or loaded its tracking
// image. Repeats and unknown e-mails are not errors.
func (l *Listener) RecordFeedback(ctx context.Context, user, email int64, what FeedbackType) error {
	_, err := l.store.RecordFeedback(ctx, user, email, what, l.applying(Feedback{Type: what}))
	return err
}

// applying returns a function that applies f to a case.
func (l *Listener) applying(f Feedback) func(*Case, int64) bool {
	return func(c *Case, email int64) bool {
		c.By, c.Now = ByFeedback, l.now().UTC().Truncate(time.Millisecond)
		return c.ApplyFeedback(email, f)
	}
}
