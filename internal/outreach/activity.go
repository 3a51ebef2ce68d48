package outreach

import "time"

// Decision is what a user decided about an activity. Any may follow any other,
// until the e-mail is being sent.
type Decision string

// The decisions.
const (
	DecisionPending  Decision = "pending"
	DecisionApproved Decision = "approved"
	DecisionRejected Decision = "rejected"
)

// Decisions are all decisions.
func Decisions() []Decision { return []Decision{DecisionPending, DecisionApproved, DecisionRejected} }

// The types of an activity that Kith makes; loaded ones may have others.
const (
	TypeOutgoing = "outgoing_email"
	TypeIncoming = "incoming_email"
)

// Activity is something about a lead that a user decides on: an e-mail to it,
// in most cases.
type Activity struct {
	ID       int64 // 0 until it is stored
	Type     string
	Decision Decision
	// ConfirmedAt is when it was approved or rejected; nil while it is pending.
	ConfirmedAt *time.Time
	// Confidence is how sure the author of the e-mail was, 0 to 1; nil where
	// nobody said.
	Confidence *float64
	Note       string
	Prompt     string
	CreatedAt  time.Time
	Email      *Email // nil where it is about none
}

// ActivityView is an activity with what it belongs to.
type ActivityView struct {
	Activity
	Sequence SequenceRef
	Lead     Lead
}

// SequenceRef names a sequence.
type SequenceRef struct {
	ID     int64
	Name   string
	Status SequenceStatus
}

// ActivityChange is a decision and what is edited with it; nil stays.
type ActivityChange struct {
	// Decision is nil for an edit without a decision.
	Decision      *Decision
	Note          *string
	Subject, Body *string
	ScheduledAt   *time.Time
	From, To      *string
	Integration   *int64
	InThread      *bool
}

// addressee is the address that an e-mail is newly scheduled for by the change; ""
// where it is not.
func (ch ActivityChange) addressee(e Email) string {
	to := e.To
	if ch.To != nil {
		to = *ch.To
	}
	approved := ch.Decision != nil && *ch.Decision == DecisionApproved
	if approved || ch.Decision == nil && ch.To != nil && e.Status == EmailScheduled {
		return to
	}
	return ""
}

// edited names the members of the e-mail that the change is about.
func (ch ActivityChange) edited() []string {
	var out []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"subject", ch.Subject != nil},
		{"body", ch.Body != nil},
		{"scheduled_at", ch.ScheduledAt != nil},
		{"from_email", ch.From != nil},
		{"to_email", ch.To != nil},
		{"user_integration_id", ch.Integration != nil},
		{"reply_in_thread", ch.InThread != nil},
	} {
		if f.set {
			out = append(out, f.name)
		}
	}
	return out
}
