package outreach

import (
	"context"

	"kith"
)

// Store stores sequences and everything that belongs to them. Missing rows and rows of other users are both a
// *kith.Error of kind NotFound, found by the same query, so that they cannot be distinguished.
type Store interface {
	Sequences
	Cases
	Suppressions
}

// Sequences stores sequences and lists their contents.
type Sequences interface {
	Sequence(ctx context.Context, user, id int64) (Sequence, error)
	// Sequences lists the sequences of a user by id.
	Sequences(ctx context.Context, user int64, p Page) ([]Sequence, error)
	// CreateSequence stores a new sequence and returns it with its id. If the user has a
	// sequence of that name, it is a Conflict.
	CreateSequence(ctx context.Context, user int64, s Sequence, by string) (Sequence, error)
	// ChangeSequence changes a sequence under a lock. If change fails, it stores nothing and returns that error. It is
	// a Conflict to activate a sequence if one of its open leads is also an open lead of another active sequence.
	ChangeSequence(ctx context.Context, user, id int64, by string, change func(*Sequence) error) (Sequence, error)
	Leads(ctx context.Context, user, sequence int64, q LeadQuery) ([]Lead, error)
	Emails(ctx context.Context, user, sequence int64, q EmailQuery) ([]Email, error)
	Activities(ctx context.Context, user int64, q ActivityQuery) ([]ActivityView, error)
}

// Cases changes leads and everything that belongs to them.
type Cases interface {
	// ChangeLead runs change on a lead under its lock, and stores all of its changes or none.
	ChangeLead(ctx context.Context, user, sequence, lead int64, change func(*Case) error) error
	// ChangeActivity does the same for the lead of an activity.
	ChangeActivity(ctx context.Context, user, activity int64, change func(*Case, *Activity) error) error
	// AddLeads adds people to a sequence; result i belongs to request i. It calls admit for each known person who is
	// not in the sequence yet. admit returns why the person is refused, or nil.
	AddLeads(ctx context.Context, user, sequence int64, by string, wanted []NewLead,
		admit func(Standing) *Refusal) ([]AddedLead, error)
	// History lists the moves of a lead and everything that belongs to it, oldest first, with numbers above after.
	History(ctx context.Context, user, sequence, lead, after int64, n int) ([]Entry, error)
}

// Page is a part of a list: the first N entries with numbers above After.
type Page struct {
	After int64
	N     int
}

// LeadQuery selects leads; "" is any status.
type LeadQuery struct {
	Page
	Status LeadStatus
}

// EmailQuery selects e-mails; "" is any status.
type EmailQuery struct {
	Page
	Status EmailStatus
}

// ActivityQuery selects activities; "" is any decision.
type ActivityQuery struct {
	Page
	Decision Decision
	// Newest is for the newest first: the numbers are then below After, if that is not 0.
	Newest bool
}

// NewLead is a person to add to a sequence.
type NewLead struct {
	// PersonID identifies the person. If it is 0, Identifier does: an e-mail address, a
	// profile URL or a social identifier.
	PersonID   int64
	Identifier string
}

// Standing is what the store knows about a potential lead.
type Standing struct {
	PersonID int64
	Email    string
	// Suppressed is true if the address is suppressed.
	Suppressed bool
	// Elsewhere is true if the person is an open lead of another active sequence of the user.
	Elsewhere bool
}

// Refusal is the reason why a person was not added.
type Refusal struct{ Code, Message string }

// LeadResult is the outcome of adding a person.
type LeadResult string

// The outcomes of adding a person.
const (
	LeadCreated   LeadResult = "created"
	LeadUnchanged LeadResult = "unchanged"
	LeadRefused   LeadResult = "refused"
)

// AddedLead is the outcome of adding one person. Lead is nil if the person was refused.
type AddedLead struct {
	Result  LeadResult
	Lead    *Lead
	Refusal *Refusal
}

// Entry is a stored move.
type Entry struct {
	Number int64
	// Row is the id of the changed row.
	Row int64
	Move
}

// People reads records.
type People interface {
	// People returns the people that exist among ids.
	People(ctx context.Context, v kith.Viewer, ids []int64) ([]kith.Person, error)
}
