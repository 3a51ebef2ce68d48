package network

import (
	"context"
	"slices"

	"kith"
)

// GraphStore reads the data of graphs. Lists are in no particular order unless stated.
type GraphStore interface {
	// Contacts returns all relationships of a user.
	Contacts(ctx context.Context, user int64) ([]Contact, error)
	// TimesOf returns the times of people.
	TimesOf(ctx context.Context, people []int64) ([]Time, error)
	// Employees calls f with everyone of within, visible to a viewer, who works at one of the companies today, possibly
	// twice.
	Employees(ctx context.Context, v kith.Viewer, companies []int64, within func(person int64) bool,
		f func(person int64)) error
	// Shared returns the relationships that introducers who are users of the same app share with a user; targets,
	// unless nil, restricts the people at the other end.
	Shared(ctx context.Context, user int64, introducers, targets []int64) ([]Shared, error)
	// LastContacts returns the day of a user's last contact with each person; kind, unless empty, restricts the kind.
	LastContacts(ctx context.Context, user int64, kind ContactKind) (map[int64]Day, error)
	// Sizes returns the numbers of employees of companies, where known.
	Sizes(ctx context.Context, companies []int64) (map[int64]int, error)
}

// MaxIntroducers is how many introducers to a person are returned.
const MaxIntroducers = 10

// Paths are the ways in which a caller reaches one person.
type Paths struct {
	Person int64
	// Direct is the caller's own relationship; nil if there is none.
	Direct *Contact
	// Introductions are the strongest, at most MaxIntroducers.
	Introductions []Introduction
}

// Score is the strength of the strongest path; 0 if there is none.
func (p Paths) Score() float64 {
	best := 0.0
	if p.Direct != nil {
		best = p.Direct.Score
	}
	if len(p.Introductions) > 0 {
		best = max(best, p.Introductions[0].Score())
	}
	return best
}

// Pathfinder finds paths from users to others. It is safe for concurrent use.
type Pathfinder struct {
	circles *Circles
	store   GraphStore
}

// NewPathfinder returns a pathfinder that uses the circles of callers, their store and their clock.
func NewPathfinder(circles *Circles) *Pathfinder {
	return &Pathfinder{circles: circles, store: circles.store}
}

// To returns the caller's paths to each of some people, in their order.
func (f *Pathfinder) To(ctx context.Context, a kith.Actor, people []int64) ([]Paths, error) {
	contacts, err := f.store.Contacts(ctx, a.UserID)
	if err != nil {
		return nil, err
	}
	times, err := f.store.TimesOf(ctx, people)
	if err != nil {
		return nil, err
	}
	g, err := f.graph(ctx, a, contacts, times, people)
	if err != nil {
		return nil, err
	}
	return g.paths(people, times), nil
}

// graph returns the caller's graph, limited to the given times and people: it includes only contacts' times at the same
// organizations.
func (f *Pathfinder) graph(ctx context.Context, a kith.Actor, contacts []Contact, times []Time,
	people []int64,
) (*graph, error) {
	var ids []int64
	for _, c := range contacts {
		ids = append(ids, c.Person)
	}
	theirs, err := f.store.TimesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	wanted := map[Org]bool{}
	var companies []int64
	for _, t := range times {
		if !wanted[t.Org] && t.Org.Company != 0 {
			companies = append(companies, t.Org.Company)
		}
		wanted[t.Org] = true
	}
	theirs = slices.DeleteFunc(theirs, func(t Time) bool { return !wanted[t.Org] })
	sizes, err := f.store.Sizes(ctx, companies)
	if err != nil {
		return nil, err
	}
	shared, err := f.store.Shared(ctx, a.UserID, ids, people)
	if err != nil {
		return nil, err
	}
	return newGraph(contacts, theirs, shared, func(id int64) int { return sizes[id] }, DayOf(f.circles.now())), nil
}

// paths returns the paths to people who spent these times.
func (g *graph) paths(people []int64, times []Time) []Paths {
	of := map[int64][]Time{}
	for _, t := range times {
		of[t.Person] = append(of[t.Person], t)
	}
	out := make([]Paths, len(people))
	for i, id := range people {
		out[i] = Paths{Person: id, Introductions: g.introductions(MaxIntroducers, id, of[id], nil)}
		if c, ok := g.contacts[id]; ok {
			out[i].Direct = &c
		}
	}
	return out
}
