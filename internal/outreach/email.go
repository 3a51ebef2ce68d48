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

// EmailStatuses are all states of an e-mail.
func EmailStatuses() []EmailStatus {
	return []EmailStatus{EmailDraft, EmailScheduled, EmailSending, EmailSent, EmailFailed, EmailCanceled}
}

// Next are the states that may follow. From being sent there is one way back, the
// word of the mail server that it did not take the e-mail: that is what makes it
// impossible to send it twice.
func (s EmailStatus) Next() []EmailStatus {
	switch s {
	case EmailDraft:
		return []EmailStatus{EmailScheduled, EmailCanceled}
	case EmailScheduled:
		return []EmailStatus{EmailDraft, EmailCanceled, EmailSending}
	case EmailSending:
		return []EmailStatus{EmailSent, EmailFailed, EmailScheduled}
	case EmailCanceled:
		return []EmailStatus{EmailDraft, EmailScheduled}
	case EmailSent, EmailFailed:
	}
	return nil
}

// May reports whether next may follow s.
func (s EmailStatus) May(next EmailStatus) bool { return slices.Contains(s.Next(), next) }

// Handed reports whether an e-mail in this state was handed to delivery, so
// that it can no longer be changed.
func (s EmailStatus) Handed() bool { return s == EmailSending || s == EmailSent || s == EmailFailed }

// Email is one message to a lead.
type Email struct {
	ID         int64 // 0 until it is stored
	SequenceID int64
	LeadID     int64
	PersonID   int64
	Subject    string
	From       string // "" is the address of the integration
	To         string
	Status     EmailStatus
	// ScheduledAt is when it is due; nil where it is not scheduled.
	ScheduledAt *time.Time
	SentAt      *time.Time
	CreatedAt   time.Time
	Content     *Content // nil where it has none
	// Integration is the account that sends it; 0 is none.
	Integration int64
	// InThread is true where it answers the e-mail before it.
	InThread bool
	// Root is the e-mail that began its thread; 0 is itself.
	Root int64
	// DueAt is when delivery looks at it next; ClaimedAt when it was taken for
	// sending.
	DueAt, ClaimedAt *time.Time
	// Deferrals is how often a mail server asked to try again later.
	Deferrals int
	// MessageID is that of its header, once it was claimed; without brackets.
	MessageID string
	// Failure says why it was not sent.
	Failure string
	// When it was first opened, and so on; nil where it was not.
	OpenedAt, ClickedAt, RepliedAt, ForwardedAt, BouncedAt *time.Time
}

// Thread is the e-mail that began the thread.
func (e Email) Thread() int64 {
	if e.Root == 0 {
		return e.ID
	}
	return e.Root
}
