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

// To returns the caller's paths to each of some people, in their order.
func (c *Circles) To(ctx context.Context, a kith.Actor, people []int64) ([]Paths, error) {
	contacts, err := c.store.Contacts(ctx, a.UserID)
	if err != nil {
		return nil, err
	}
	g, times, err := c.graphTo(ctx, contacts, people, DayOf(c.now()))
	if err != nil {
		return nil, err
	}
	if g.shared, err = c.shared(ctx, a.UserID, idsOf(contacts), people); err != nil {
		return nil, err
	}
	return g.paths(people, times), nil
}

// graphTo returns the graph of contacts, limited to the organizations of some people, and the times of these people. It
// has no shared relationships.
func (c *Circles) graphTo(ctx context.Context, contacts []Contact, people []int64,
	today Day,
) (*graph, map[int64][]Time, error) {
	times, err := c.store.TimesOf(ctx, people)
	if err != nil {
		return nil, nil, err
	}
	of, at := map[int64][]Time{}, map[Org]bool{}
	for _, t := range times {
		of[t.Person], at[t.Org] = append(of[t.Person], t), true
	}
	theirs, err := c.store.TimesOf(ctx, idsOf(contacts))
	if err != nil {
		return nil, nil, err
	}
	theirs = slices.DeleteFunc(theirs, func(t Time) bool { return !at[t.Org] })
	g := newGraph(contacts, theirs, today)
	return g, of, c.readSizes(ctx, g, g.orgs())
}

func idsOf(contacts []Contact) []int64 {
	return kith.Each(contacts, func(c Contact) int64 { return c.Person })
}

// paths returns the paths to people who spent these times.
func (g *graph) paths(people []int64, times map[int64][]Time) []Paths {
	out := make([]Paths, len(people))
	for i, id := range people {
		out[i] = Paths{Person: id, Introductions: g.introductions(MaxIntroducers, id, times[id], nil)}
		if c, ok := g.contacts[id]; ok {
			out[i].Direct = &c
		}
	}
	return out
}
