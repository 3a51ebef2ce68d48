package outreach

import "time"

// Subject is the kind of thing that a move changes.
type Subject string

// The subjects of moves.
const (
	OfSequence Subject = "sequence"
	OfLead     Subject = "lead"
	OfEmail    Subject = "email"
	OfActivity Subject = "activity"
	// OfTicket occurs only in webhooks.
	OfTicket Subject = "job"
)

// Move is one state change, or an edit if From and To are equal. From is "" for new things.
type Move struct {
	Subject  Subject
	From, To string
	// Reason is the cause, or the list of other edits.
	Reason string
	At     time.Time
	By     string

	// email and activity are rows that may be new: their ids are known only after they are stored.
	email    *Email
	activity *Activity
	id       int64
}

// ID returns the id of the changed row.
func (m Move) ID() int64 {
	switch {
	case m.email != nil:
		return m.email.ID
	case m.activity != nil:
		return m.activity.ID
	}
	return m.id
}

// MoveOfSequence returns a move of a stored sequence.
func MoveOfSequence(id int64, m Move) Move {
	m.Subject, m.id = OfSequence, id
	return m
}

// Actors other than users. Users are "user:" and their external id.
const (
	ByLoad     = "load"
	ByDelivery = "delivery"
	ByFeedback = "feedback"
	// ByMerge is the merge of two people.
	ByMerge = "merge"
)

// byUser returns the name of a user in a history.
func byUser(externalID string) string { return "user:" + externalID }
