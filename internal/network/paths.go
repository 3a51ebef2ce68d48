package network

import (
	"context"
	"slices"

	"kith"
)

// GraphStore gives what graphs are made of. Lists are in no particular order
// unless said.
type GraphStore interface {
	// Contacts returns all relationships of a user.
	Contacts(ctx context.Context, user int64) ([]Contact, error)
	// TimesOf returns the times of people.
	TimesOf(ctx context.Context, people []int64) ([]Time, error)
	// Employees hands out who works at a company today, some maybe twice.
	Employees(ctx context.Context, company int64, f func(person int64)) error
	// Shared returns what those among introducers who are users of the app of a
	// user share with that user; targets restricts whom to, unless it is nil.
	Shared(ctx context.Context, user int64, introducers, targets []int64) ([]Shared, error)
	// LastContacts returns the days on which a user was last in contact with people;
	// of one kind, unless it is empty.
	LastContacts(ctx context.Context, user int64, kind ContactKind) (map[int64]Day, error)
	// Sizes returns the numbers of employees of companies, as far as known.
	Sizes(ctx context.Context, companies []int64) (map[int64]int, error)
}

// Limits of paths.
const (
	MaxIntroducers = 10
	MaxTargets     = 50
)

// Paths is how a caller reaches one person.
type Paths struct {
	Person int64
	// Direct is the caller's own relationship; nil where there is none.
	Direct *Contact
	// Introductions are the strongest, at most MaxIntroducers.
	Introductions []Introduction
}

// Score is the strength of the strongest way; 0 where there is none.
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

// Pathfinder finds ways from users to others. It is safe for concurrent use.
type Pathfinder struct {
	circles *Circles
	store   GraphStore
}

// NewPathfinder returns a pathfinder that goes by the circles of callers, and
// by their clock.
func NewPathfinder(circles *Circles) *Pathfinder {
	return &Pathfinder{circles: circles, store: circles.store}
}

// To returns the ways of the caller to each of some people, in their order.
func (f *Pathfinder) To(ctx context.Context, a kith.Actor, people []int64) ([]Paths, error) {
	ctx = kith.WithActor(ctx, a)
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

// graph is the caller's graph as far as it touches the given times and people.
// Of the contacts only those are looked at who were at the same places.
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
	wanted := map[Place]bool{}
	var companies []int64
	for _, t := range times {
		if !wanted[t.Place] && t.Place.Company != 0 {
			companies = append(companies, t.Place.Company)
		}
		wanted[t.Place] = true
	}
	theirs = slices.DeleteFunc(theirs, func(t Time) bool { return !wanted[t.Place] })
	sizes, err := f.store.Sizes(ctx, companies)
	if err != nil {
		return nil, err
	}
	shared, err := f.store.Shared(ctx, a.UserID, ids, people)
	if err != nil {
		return nil, err
	}
	return newGraph(contacts, theirs, shared, func(id int64) int { return sizes[id] }, f.today()), nil
}

func (f *Pathfinder) today() Day { return f.circles.today() }

// paths are the ways to people who spent these times.
func (g *graph) paths(people []int64, times []Time) []Paths {
	of := map[int64][]Time{}
	for _, t := range times {
		of[t.Person] = append(of[t.Person], t)
	}
	out := make([]Paths, len(people))
	for i, id := range people {
		out[i] = Paths{Person: id, Introductions: g.introductions(id, of[id], nil)}
		if c, ok := g.contact(id); ok {
			out[i].Direct = &c
		}
	}
	return out
}
