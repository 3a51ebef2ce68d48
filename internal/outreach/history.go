package outreach

import "time"

// Subject is what a move is about.
type Subject string

// The subjects of moves.
const (
	OfSequence Subject = "sequence"
	OfLead     Subject = "lead"
	OfEmail    Subject = "email"
	OfActivity Subject = "activity"
	// OfJob is only for webhooks.
	OfJob Subject = "job"
)

// Move is one change of a state, or an edit, where From and To are the same.
// From is "" for what is new.
type Move struct {
	Subject  Subject
	From, To string
	// Reason says why, or what else changed.
	Reason string
	At     time.Time
	By     string

	// email and activity are the new rows that the move is about: their numbers
	// are known once they are stored.
	email    *Email
	activity *Activity
	id       int64
}

// ID is the number of the row that moved.
func (m Move) ID() int64 {
	switch {
	case m.email != nil:
		return m.email.ID
	case m.activity != nil:
		return m.activity.ID
	}
	return m.id
}

// MoveOfSequence returns a move of a sequence, which is stored already.
func MoveOfSequence(id int64, m Move) Move {
	m.Subject, m.id = OfSequence, id
	return m
}

// Who moves things besides users, who are "user:" and their external id.
const (
	ByLoad     = "load"
	ByDelivery = "delivery"
	ByFeedback = "feedback"
)

// byUser names a user in a history.
func byUser(externalID string) string { return "user:" + externalID }
