package network

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"kith"
)

// DefaultScore is the score of an imported relationship that has none.
const DefaultScore = 5

// Relationship is one person known to a user. It has no id: user and person identify it.
type Relationship struct {
	Person Person
	// Score is the strength: the given score combined by [MixedScore] with contacts and time spent together.
	Score float64
	Given float64
	Kinds KindSet
	// Since is the first day of the relationship; nil if unknown.
	Since *Day
	// Contacts are the histories by kind; empty if there was no contact.
	Contacts  []History
	CreatedAt time.Time
	UpdatedAt time.Time
}

// FileScore is the given score of relationships from a contacts file.
const FileScore = 2.5

// Reasons explains what the score consists of.
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
			add(kindTitle(k), "according to your records")
		}
	}
	return reasons
}

// Person is the part of a person shown in lists of relationships.
type Person struct {
	ID        int64
	Name      string
	SocialURL string
}

// Sharing says who may be introduced through a user's relationships.
type Sharing string

// The settings of sharing; ShareNone is the default.
const (
	ShareNone      Sharing = "none"
	ShareTeam      Sharing = "team"      // the user's teams
	ShareCommunity Sharing = "community" // every user of the app
)

// Summary is the size of a user's network.
type Summary struct {
	Relationships int
	// UpdatedAt is when a relationship last changed; zero for never.
	UpdatedAt time.Time
	Sharing   Sharing
}

// Position is a position in a list of relationships: after one of them.
type Position struct {
	Score  float64
	Person int64
}

// Store stores relationships. Every method is limited to one user's data. It returns kith.Unavailable if the database
// is down.
type Store interface {
	// Import finds the person of each identifier and writes the relationships in
	// one transaction. Entry i of the answer belongs to entry i of the request.
	Import(ctx context.Context, a kith.Actor, entries []Entry) ([]Imported, error)
	// Unknown returns the profile URLs that belong to nobody a user may refer to.
	Unknown(ctx context.Context, user int64, profiles []string) ([]string, error)
	// List returns at most n relationships after a position, strongest first, equal scores by person id; nil is the
	// start.
	List(ctx context.Context, user int64, after *Position, n int) ([]Relationship, error)
	// Named returns the person with an identifier, among those a viewer may see; 0 if there is none. If several
	// share an address, the first counts.
	Named(ctx context.Context, v kith.Viewer, identifier string) (person int64, err error)
	// Delete removes the relationship to a person; kith.NotFound if there is none.
	Delete(ctx context.Context, user, person int64) error
	Summary(ctx context.Context, user int64) (Summary, error)
	SetSharing(ctx context.Context, user int64, s Sharing) error
}

// Service manages the networks of the users of one dataset. It is safe for concurrent use.
type Service struct {
	store Store
	// finder is nil if there are no look-ups.
	finder Finder
}

// New returns the service over a store.
func New(store Store) *Service { return &Service{store: store} }

// MaxPage is the most relationships that [Service.List] returns at once.
const MaxPage = 100

// List returns up to limit relationships of the caller, strongest first, and whether there are more.
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

// Named returns the person with an id, e-mail address or profile URL, as visible to a viewer. An id of nobody is
// returned unchanged: a relationship may outlast the caller's permission to see the person.
func (s *Service) Named(ctx context.Context, v kith.Viewer, identifier string) (person int64, err error) {
	person, err = s.store.Named(ctx, v, identifier)
	if err != nil || person != 0 {
		return person, err
	}
	if id, err := strconv.ParseInt(identifier, 10, 64); err == nil {
		return id, nil
	}
	return 0, kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", NotFoundMessage)
}

// Delete removes the caller's relationship to a person; kith.NotFound if there is none.
func (s *Service) Delete(ctx context.Context, a kith.Actor, person int64) error {
	return s.store.Delete(ctx, a.UserID, person)
}

// Summary returns the size of the caller's network.
func (s *Service) Summary(ctx context.Context, a kith.Actor) (Summary, error) {
	return s.store.Summary(ctx, a.UserID)
}

// SetSharing sets who the caller shares with; an unknown setting is kith.Invalid.
func (s *Service) SetSharing(ctx context.Context, a kith.Actor, sharing Sharing) error {
	switch sharing {
	case ShareNone, ShareTeam, ShareCommunity:
		return s.store.SetSharing(ctx, a.UserID, sharing)
	}
	return kith.InvalidFields([]kith.FieldError{{
		Field: "sharing", Code: "UNKNOWN_VALUE", Message: "must be one of none, team and community",
	}})
}
