package outreach

import (
	"slices"
	"time"
)

// EmailStatus is the state of an e-mail.
type EmailStatus string

// The states of an e-mail.
const (
	EmailDraft     EmailStatus = "draft"
	EmailScheduled EmailStatus = "scheduled"
	EmailSending   EmailStatus = "sending"
	EmailSent      EmailStatus = "sent"
	EmailFailed    EmailStatus = "failed"
	EmailCanceled  EmailStatus = "canceled"
)

// EmailStatuses returns every state of an e-mail.
func EmailStatuses() []EmailStatus {
	return []EmailStatus{EmailDraft, EmailScheduled, EmailSending, EmailSent, EmailFailed, EmailCanceled}
}

// May reports whether next may follow s. An e-mail that is being sent returns to scheduled only if the mail server says
// that it did not accept it. This prevents sending an e-mail twice.
func (s EmailStatus) May(next EmailStatus) bool {
	return slices.Contains(map[EmailStatus][]EmailStatus{
		EmailDraft:     {EmailScheduled, EmailCanceled},
		EmailScheduled: {EmailDraft, EmailCanceled, EmailSending},
		EmailSending:   {EmailSent, EmailFailed, EmailScheduled},
		EmailCanceled:  {EmailDraft, EmailScheduled},
	}[s], next)
}

// Handed reports whether delivery has claimed an e-mail in this state, so that it can no longer change.
func (s EmailStatus) Handed() bool { return s == EmailSending || s == EmailSent || s == EmailFailed }

// Email is one message to a lead.
type Email struct {
	ID         int64 // 0 until it is stored
	SequenceID int64
	LeadID     int64
	PersonID   int64
	Subject    string
	From       string // "" means the address of the integration
	To         string
	Status     EmailStatus
	// ScheduledAt is the time to send it; nil if it is not scheduled.
	ScheduledAt *time.Time
	SentAt      *time.Time
	CreatedAt   time.Time
	Content     *Content // nil if it has none
	// Integration sends it; 0 is none.
	Integration int64
	// InThread is true for an answer to the e-mail before it.
	InThread bool
	// Root is the first e-mail of its thread; 0 means this e-mail.
	Root int64
	// DueAt is when delivery next looks at it. ClaimedAt is when delivery claimed it for sending.
	DueAt, ClaimedAt *time.Time
	// Deferrals is how often a mail server asked to try again later.
	Deferrals int
	// MessageID is the Message-ID header without brackets, set when it is claimed.
	MessageID string
	// Failure says why it was not sent.
	Failure string
	// The time of the first open, and so on; nil if it has not happened.
	OpenedAt, ClickedAt, RepliedAt, ForwardedAt, BouncedAt *time.Time
}

// Thread returns the first e-mail of the thread.
func (e Email) Thread() int64 {
	if e.Root == 0 {
		return e.ID
	}
	return e.Root
}
