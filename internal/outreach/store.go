package outreach

import (
	"context"

	"kith"
)

// Store keeps sequences with all that belongs to them. What is not there, or
// belongs to another user, is a *kith.Error of kind NotFound; both take the
// same way through the store.
type Store interface {
	Sequences
	Cases
	Suppressions
}

// Sequences keeps sequences and lists what is in them.
type Sequences interface {
	Sequence(ctx context.Context, user, id int64) (Sequence, error)
	// Sequences lists those of a user by number.
	Sequences(ctx context.Context, user int64, p Page) ([]Sequence, error)
	// CreateSequence stores a new sequence and returns it with its id. A name
	// that the user has already is a Conflict.
	CreateSequence(ctx context.Context, user int64, s Sequence, by string) (Sequence, error)
	// ChangeSequence changes a sequence under a lock; where change fails
	// nothing is stored and its error returned. One that becomes active while
	// another active one has one of its leads, neither closed, is a Conflict.
	ChangeSequence(ctx context.Context, user, id int64, by string, change func(*Sequence) error) (Sequence, error)
	Leads(ctx context.Context, user, sequence int64, q LeadQuery) ([]Lead, error)
	Emails(ctx context.Context, user, sequence int64, q EmailQuery) ([]Email, error)
	Activities(ctx context.Context, user int64, q ActivityQuery) ([]ActivityView, error)
}

// Cases changes leads with all that belongs to them.
type Cases interface {
	// ChangeLead runs change on a lead under its lock, and stores what it did,
	// all or nothing.
	ChangeLead(ctx context.Context, user, sequence, lead int64, change func(*Case) error) error
	// ChangeActivity does so for the lead of an activity.
	ChangeActivity(ctx context.Context, user, activity int64, change func(*Case, *Activity) error) error
	// AddLeads adds people to a sequence; entry i of the answer belongs to entry
	// i of the request. admit says of each person that is known, and not in the
	// sequence yet, why it is not added; nil adds it.
	AddLeads(ctx context.Context, user, sequence int64, by string, wanted []NewLead,
		admit func(Standing) *Refusal) ([]AddedLead, error)
	// History lists what became of a lead and all that belongs to it, oldest
	// first, with numbers above after.
	History(ctx context.Context, user, sequence, lead, after int64, n int) ([]Entry, error)
}

// Page is a part of a list: what comes after a number, the first n.
type Page struct {
	After int64
	N     int
}

// LeadQuery chooses leads; "" is any status.
type LeadQuery struct {
	Page
	Status LeadStatus
}

// EmailQuery chooses e-mails; "" is any status.
type EmailQuery struct {
	Page
	Status EmailStatus
}

// ActivityQuery chooses activities; "" is any decision.
type ActivityQuery struct {
	Page
	Decision Decision
}

// NewLead is a person to be added to a sequence.
type NewLead struct {
	// PersonID names the person, or where it is 0 Identifier does: an e-mail
	// address, a profile URL or a social identifier.
	PersonID   int64
	Identifier string
}

// Standing is what is known of a person who may become a lead.
type Standing struct {
	PersonID int64
	Email    string
	// Suppressed is true where the address must not be written to.
	Suppressed bool
	// Elsewhere is true where another active sequence of the user has the
	// person as a lead that is not closed.
	Elsewhere bool
}

// Refusal is why a person is not added.
type Refusal struct{ Code, Message string }

// LeadResult says what became of a person to be added.
type LeadResult string

// What becomes of a person to be added.
const (
	LeadCreated   LeadResult = "created"
	LeadUnchanged LeadResult = "unchanged"
	LeadRefused   LeadResult = "refused"
)

// AddedLead is what became of a person to be added. Lead is nil where it was
// refused.
type AddedLead struct {
	Result  LeadResult
	Lead    *Lead
	Refusal *Refusal
}

// Entry is a move as it is kept.
type Entry struct {
	Number int64
	// Row is the number of what moved.
	Row int64
	Move
}

// People reads records.
type People interface {
	// People returns the people among ids that there are.
	People(ctx context.Context, ids []int64) ([]kith.Person, error)
}
