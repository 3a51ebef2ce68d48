package outreach

import (
	"context"
	"time"
)

// FeedbackType is what became of an e-mail after it was sent.
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

// FeedbackTypes are all types of feedback.
func FeedbackTypes() []FeedbackType {
	return []FeedbackType{
		FeedbackOpened, FeedbackClicked, FeedbackForwarded, FeedbackReplied, FeedbackBounced,
		FeedbackComplaint,
	}
}

// Feedback is one event about an e-mail that was sent.
type Feedback struct {
	Type FeedbackType
	// MessageID is that of the header, with angle brackets or without.
	MessageID string
	// At is when it happened; nil is now.
	At *time.Time
	// Auto is true for a reply that no person wrote.
	Auto bool
	// Hard is true for a bounce of an address that cannot be reached at all.
	Hard bool
}

// MaxFeedback is how many events one request may bring.
const MaxFeedback = 1000

// Suppresses reports whether the address must not be written to any more.
func (f Feedback) Suppresses() bool {
	return f.Type == FeedbackComplaint || f.Type == FeedbackBounced && f.Hard
}

// FeedbackResult says what became of an event.
type FeedbackResult string

// What becomes of an event.
const (
	FeedbackApplied   FeedbackResult = "applied"
	FeedbackUnchanged FeedbackResult = "unchanged"
	FeedbackUnknown   FeedbackResult = "unknown"
)

// Hear notes feedback about an e-mail of the case, and reports whether that
// changed anything. Each kind counts once for an e-mail. A reply that a person
// wrote finishes the lead; so does a later one where the lead was opened again.
func (c *Case) Hear(email int64, f Feedback) bool {
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
		return c.heard(e, &e.OpenedAt, at, "E-mail opened")
	case FeedbackClicked:
		return c.clicked(e, at)
	case FeedbackForwarded:
		return c.heard(e, &e.ForwardedAt, at, "E-mail forwarded")
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

// clicked notes a click, which is the first sign that the e-mail was opened where no other came.
func (c *Case) clicked(e *Email, at time.Time) bool {
	clicked := c.heard(e, &e.ClickedAt, at, "Link in the e-mail opened")
	if clicked && e.OpenedAt == nil {
		e.OpenedAt = &at
	}
	return clicked
}

// bounced notes a bounce; a hard one unsubscribes the lead, also where it bounced softly before.
func (c *Case) bounced(e *Email, at time.Time, hard bool) bool {
	bounced := c.heard(e, &e.BouncedAt, at, "E-mail bounced")
	if !hard || !bounced && c.Lead.Status.Closed() {
		return bounced
	}
	c.Unsubscribed("the address cannot be reached")
	return true
}

// heard notes the first time of something.
func (c *Case) heard(e *Email, first **time.Time, at time.Time, text string) bool {
	if *first != nil {
		return false
	}
	*first = &at
	c.moved(Move{Subject: OfEmail, email: e, From: string(e.Status), To: string(e.Status), Reason: text})
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
		e.RepliedAt = nil // the lead was opened again since, and answers once more
	}
	if !c.heard(e, &e.RepliedAt, at, "Replied") {
		return false
	}
	c.advance(LeadFinished, "the lead replied")
	c.cancelScheduled("the lead replied")
	return true
}

// FeedbackStore keeps what is heard.
type FeedbackStore interface {
	// FeedbackSecret returns what the feedback of an integration is signed with;
	// one that is not there is NotFound.
	FeedbackSecret(ctx context.Context, user, integration int64) ([]byte, error)
	// Hear finds the e-mail of an event among those that an integration sent, and
	// stores what hear does with its case; unknown e-mails are FeedbackUnknown.
	Hear(ctx context.Context, user, integration int64, f Feedback, hear func(c *Case, email int64) bool) (FeedbackResult,
		error)
	// Saw does so with an e-mail of a number, where it was handed over and nothing
	// of the kind is known of it yet; others are FeedbackUnknown.
	Saw(ctx context.Context, user, email int64, f FeedbackType, hear func(c *Case, email int64) bool) (FeedbackResult,
		error)
}

// Listener takes feedback in.
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

// Verify returns Unauthorized unless a body was signed for the integration, and
// not long ago.
func (l *Listener) Verify(ctx context.Context, user, integration int64, signature string, body []byte) error {
	secret, err := l.store.FeedbackSecret(ctx, user, integration)
	if err != nil {
		return err
	}
	return VerifySignature(secret, signature, body, l.now())
}

// Hear takes events in, each for itself. Entry i of the answer belongs to event
// i.
func (l *Listener) Hear(ctx context.Context, user, integration int64, events []Feedback) ([]FeedbackResult, error) {
	out := make([]FeedbackResult, len(events))
	for i, f := range events {
		var err error
		if out[i], err = l.store.Hear(ctx, user, integration, f, l.hearing(f)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Saw takes in that a link in an e-mail was followed, or its picture shown.
// What is known already, or of an e-mail that is gone, is no error.
func (l *Listener) Saw(ctx context.Context, user, email int64, what FeedbackType) error {
	_, err := l.store.Saw(ctx, user, email, what, l.hearing(Feedback{Type: what}))
	return err
}

// hearing tells a case of feedback.
func (l *Listener) hearing(f Feedback) func(*Case, int64) bool {
	return func(c *Case, email int64) bool {
		c.By, c.Now = ByFeedback, l.now().UTC().Truncate(time.Millisecond)
		return c.Hear(email, f)
	}
}
