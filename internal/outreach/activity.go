package outreach

import "time"

// Decision is a user's decision about an activity. The user may change it until the e-mail is being sent.
type Decision string

// The values of [Decision].
const (
	DecisionPending  Decision = "pending"
	DecisionApproved Decision = "approved"
	DecisionRejected Decision = "rejected"
)

// Decisions returns every decision.
func Decisions() []Decision { return []Decision{DecisionPending, DecisionApproved, DecisionRejected} }

// The types of activity that Kith creates; loaded activities may have others.
const (
	TypeOutgoing = "outgoing_email"
	TypeIncoming = "incoming_email"
)

// Activity is something for a user to decide about a lead, usually an e-mail to send.
type Activity struct {
	ID       int64 // 0 until it is stored
	Type     string
	Decision Decision
	// ConfirmedAt is the time of the approval or rejection; nil while the activity is pending.
	ConfirmedAt *time.Time
	// Confidence is the author's confidence in the e-mail, 0 to 1; nil if not given.
	Confidence *float64
	Note       string
	Prompt     string
	CreatedAt  time.Time
	Email      *Email // nil if the activity has no e-mail
}

// ActivityView is an activity with its sequence and lead.
type ActivityView struct {
	Activity
	Sequence SequenceRef
	Lead     Lead
}

// SequenceRef identifies a sequence.
type SequenceRef struct {
	ID     int64
	Name   string
	Status SequenceStatus
}

// ActivityChange is a decision with the edits that go with it; nil fields stay unchanged.
type ActivityChange struct {
	// Decision is nil for an edit without a decision.
	Decision      *Decision
	Note          *string
	Subject, Body *string
	ScheduledAt   *time.Time
	// Untimed takes the e-mail's own time away: approval then schedules it for now.
	Untimed     bool
	From, To    *string
	Integration *int64
	InThread    *bool
	// MaySend permits edits of an approved e-mail, which is sent as edited.
	MaySend bool
}

// approves reports whether the change approves the activity.
func (ch ActivityChange) approves() bool {
	return ch.Decision != nil && *ch.Decision == DecisionApproved
}

// addressee returns the address that the change schedules an e-mail for, or "" if the change schedules nothing.
func (ch ActivityChange) addressee(e Email) string {
	to := e.To
	if ch.To != nil {
		to = *ch.To
	}
	if ch.approves() || ch.To != nil && ch.editsApproved(e) {
		return to
	}
	return ""
}

// editsApproved reports whether the change edits an e-mail that stays approved.
func (ch ActivityChange) editsApproved(e Email) bool {
	return ch.Decision == nil && e.Status == EmailScheduled && len(ch.editedFields()) > 0
}

// editedFields names the fields of the e-mail that the change sets.
func (ch ActivityChange) editedFields() []string {
	var out []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"subject", ch.Subject != nil},
		{"body", ch.Body != nil},
		{"scheduled_at", ch.ScheduledAt != nil || ch.Untimed},
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
