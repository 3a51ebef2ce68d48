package network

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"kith"
)

// DefaultScore is what an imported relationship without a score has.
const DefaultScore = 5

// Relationship is one person whom a user knows. It has no number of its own:
// the user and the person tell it from others.
type Relationship struct {
	Person Person
	// Score is how strong it is: what was given, and what contacts and times together
	// add to it, as [MixedScore] says.
	Score float64
	Given float64
	Kinds KindSet
	// Since is the first day of the relationship; nil where it is not known.
	Since *Day
	// Contacts are the histories by kind; none where there was no contact.
	Contacts  []History
	CreatedAt time.Time
	UpdatedAt time.Time
}

// FileScore is what a relationship is given that comes from a file of contacts.
const FileScore = 2.5

// Reasons say what the score is made of.
func (r Relationship) Reasons() []Reason {
	reasons := []Reason{{Title: "Given", Description: fmt.Sprintf("%.3g of %d", r.Given, MaxScore)}}
	add := func(title, format string, args ...any) {
		reasons = append(reasons, Reason{Title: title, Description: fmt.Sprintf(format, args...)})
	}
	if r.Since != nil {
		add("Connected", "since %s", Date(*r.Since))
	}
	if all, ok := Total(r.Contacts); ok {
		add("In contact", "%d from you, %d from them, last on %s", all.Outgoing, all.Incoming, Date(all.Last))
	}
	for _, k := range []Kind{WorkedTogether, StudiedTogether} {
		if r.Kinds&KindsOf(k) != 0 {
			add(kindTitle(k), "as far as the records of both of you say")
		}
	}
	return reasons
}

// Person is as much of a person as lists of relationships show.
type Person struct {
	ID        int64
	Name      string
	SocialURL string
}

// Sharing says who may be introduced through a user's relationships.
type Sharing string

// The settings of sharing. No one is the default.
const (
	ShareNone      Sharing = "none"
	ShareTeam      Sharing = "team"      // the user's teams
	ShareCommunity Sharing = "community" // every user of the app
)

// Summary is the size of a user's network.
type Summary struct {
	Relationships int
	// UpdatedAt is when a relationship last changed; the zero time for never.
	UpdatedAt time.Time
	Sharing   Sharing
}

// Position is a place in a list of relationships: behind one of them.
type Position struct {
	Score  float64
	Person int64
}

// Store keeps relationships. Everything is asked of one user, and nothing of
// another's can be reached. Errors: kith.Unavailable where it is away.
type Store interface {
	// Import finds the person of each identifier and writes the relationships in
	// one transaction. Entry i of the answer belongs to entry i of the request.
	Import(ctx context.Context, user int64, entries []Entry) ([]Imported, error)
	// Unknown returns those of the profile URLs that name nobody.
	Unknown(ctx context.Context, profiles []string) ([]string, error)
	// List returns at most n relationships behind a position, strongest first,
	// those of one score by person; nil is the start.
	List(ctx context.Context, user int64, after *Position, n int) ([]Relationship, error)
	// Named returns the person whom an identifier means, of those that the caller of ctx may
	// see; 0 where there is none. Of several with one address the first is meant.
	Named(ctx context.Context, identifier string) (person int64, err error)
	// Delete removes that to a person; kith.NotFound where the user has none.
	Delete(ctx context.Context, user, person int64) error
	Summary(ctx context.Context, user int64) (Summary, error)
	SetSharing(ctx context.Context, user int64, s Sharing) error
}

// Service is the network of the users of one directory. It is safe for
// concurrent use.
type Service struct {
	store Store
	// finder is nil where nobody can be looked up.
	finder Finder
}

// New returns the service over a store.
func New(store Store) *Service { return &Service{store: store} }

// MaxPage is the most relationships that [Service.List] returns at once.
const MaxPage = 100

// List returns up to limit relationships of the caller, strongest first, and
// whether there are more.
func (s *Service) List(ctx context.Context, a kith.Actor, after *Position,
	limit int,
) (page []Relationship, more bool, err error) {
	limit = min(max(limit, 1), MaxPage)
	page, err = s.store.List(ctx, a.UserID, after, limit+1)
	if len(page) > limit {
		page, more = page[:limit], true
	}
	return page, more, err
}

// Named returns the person whom an id, an e-mail address or a profile URL means to the
// caller. An id that means nobody is returned as it is: a relationship may outlast what the
// caller may see.
func (s *Service) Named(ctx context.Context, a kith.Actor, identifier string) (person int64, err error) {
	person, err = s.store.Named(kith.WithActor(ctx, a), identifier)
	if err != nil || person != 0 {
		return person, err
	}
	if id, err := strconv.ParseInt(identifier, 10, 64); err == nil {
		return id, nil
	}
	return 0, kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", NotFoundMessage)
}

// Delete ends the caller's relationship to a person; kith.NotFound where there
// is none.
func (s *Service) Delete(ctx context.Context, a kith.Actor, person int64) error {
	return s.store.Delete(ctx, a.UserID, person)
}

// Summary tells the size of the caller's network.
func (s *Service) Summary(ctx context.Context, a kith.Actor) (Summary, error) {
	return s.store.Summary(ctx, a.UserID)
}

// SetSharing sets with whom the caller shares; an unknown setting is
// kith.Invalid.
func (s *Service) SetSharing(ctx context.Context, a kith.Actor, sharing Sharing) error {
	switch sharing {
	case ShareNone, ShareTeam, ShareCommunity:
		return s.store.SetSharing(ctx, a.UserID, sharing)
	}
	return kith.InvalidFields([]kith.FieldError{{
		Field: "sharing", Code: "UNKNOWN_VALUE", Message: "must be one of none, team and community",
	}})
}
