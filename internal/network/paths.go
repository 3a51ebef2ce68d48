package network

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"kith"
)

// GraphStore gives what graphs are made of. Lists are in no particular order
// unless said.
type GraphStore interface {
	// Contacts returns all relationships of a user.
	Contacts(ctx context.Context, user int64) ([]Contact, error)
	// TimesOf returns the times of people.
	TimesOf(ctx context.Context, people []int64) ([]Time, error)
	// Employees returns who works at a company today, some maybe twice.
	// EachTimeOf hands out the times that they spent at places, without the place
	// itself, which i gives.
	Employees(ctx context.Context, company int64) ([]int64, error)
	EachTimeOf(ctx context.Context, company int64, places []Place, f func(i int, t Time)) error
	// Shared returns what those among introducers who are users of the app of a
	// user share with that user; targets restricts whom to, unless it is nil.
	Shared(ctx context.Context, user int64, introducers, targets []int64) ([]Shared, error)
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

// Reached reports whether there is any way.
func (p Paths) Reached() bool { return p.Direct != nil || len(p.Introductions) > 0 }

// Pathfinder finds ways from users to others. It is safe for concurrent use.
type Pathfinder struct {
	store GraphStore
	now   func() time.Time
}

// NewPathfinder returns a pathfinder; a nil clock is time.Now.
func NewPathfinder(store GraphStore, now func() time.Time) *Pathfinder {
	if now == nil {
		now = time.Now
	}
	return &Pathfinder{store: store, now: now}
}

// To returns the ways of the caller to each of some people, in their order.
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

// AtCompany returns the ways to the people who work at a company today,
// strongest first, ways of the same strength by person; those whom there is no
// way to are left out. At most limit are returned; total says how many there
// are. It takes some seconds for 200,000 people.
func (f *Pathfinder) AtCompany(ctx context.Context, a kith.Actor, company int64, limit int) (best []Paths, total int, err error) {
	contacts, err := f.store.Contacts(ctx, a.UserID)
	if err != nil || len(contacts) == 0 {
		return nil, 0, err
	}
	scores, err := f.scores(ctx, a, contacts, company)
	if err != nil {
		return nil, 0, err
	}
	people := slices.Collect(maps.Keys(scores))
	slices.SortFunc(people, func(x, y int64) int { return cmp.Or(cmp.Compare(scores[y], scores[x]), cmp.Compare(x, y)) })
	best, err = f.To(ctx, a, people[:min(len(people), limit)])
	return best, len(people), err
}

// scores are the strengths of the strongest ways to those of the people at a
// company who can be reached.
func (f *Pathfinder) scores(ctx context.Context, a kith.Actor, contacts []Contact, company int64) (map[int64]float64, error) {
	employees, err := f.store.Employees(ctx, company)
	if err != nil {
		return nil, err
	}
	best := make(map[int64]float64, len(employees))
	for _, id := range employees {
		best[id] = unreached
	}
	g, err := f.whole(ctx, contacts)
	if err != nil {
		return nil, err
	}
	places := g.Places()
	lists := make([][]Time, len(places))
	for i, p := range places {
		lists[i] = g.at[p]
	}
	err = f.store.EachTimeOf(ctx, company, places, func(i int, t Time) {
		t.Place = places[i]
		if now, there := best[t.Person]; there {
			best[t.Person] = g.strongestWay(lists[i], t, now)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := f.shares(ctx, a, g, best); err != nil {
		return nil, err
	}
	for _, c := range contacts {
		if now, there := best[c.Person]; there {
			best[c.Person] = max(now, c.Score)
		}
	}
	maps.DeleteFunc(best, func(_ int64, score float64) bool { return score == unreached })
	return best, nil
}

// unreached is less than the strength of any way.
const unreached = -1

// whole is the graph of all contacts, without what is shared.
func (f *Pathfinder) whole(ctx context.Context, contacts []Contact) (*Graph, error) {
	ids := make([]int64, len(contacts))
	for i, c := range contacts {
		ids[i] = c.Person
	}
	times, err := f.store.TimesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	g := NewGraph(contacts, times, nil, nil, f.today())
	sizes, err := f.store.Sizes(ctx, companiesOf(g.Places()))
	g.size = func(id int64) int { return sizes[id] }
	return g, err
}

// shares raises scores to those of ways over what others share.
func (f *Pathfinder) shares(ctx context.Context, a kith.Actor, g *Graph, best map[int64]float64) error {
	edges, err := f.store.Shared(ctx, a.UserID, slices.Collect(maps.Keys(g.contacts)), nil)
	for _, e := range edges {
		if now, there := best[e.Target]; there && e.Introducer != e.Target {
			best[e.Target] = max(now, PathScore(g.contacts[e.Introducer].Score, e.Score))
		}
	}
	return err
}

// strongestWay is the strength of the strongest way over the contacts of a
// list, who were at the place of a time, or least where it is more. The list is
// sorted, strongest first, so that it can end where no one further on can be
// stronger.
func (g *Graph) strongestWay(list []Time, t Time, least float64) float64 {
	whole, ok := g.together(t, t)
	if !ok {
		return least
	}
	for _, other := range list {
		contact := g.contacts[other.Person]
		if PathScore(contact.Score, whole.Score) <= least {
			break
		}
		if b, met := g.together(t, other); met && other.Person != t.Person {
			least = max(least, PathScore(contact.Score, b.Score))
		}
	}
	return least
}

// graph is the caller's graph as far as it touches the given times and people.
// Of the contacts only those are looked at who were at the same places.
func (f *Pathfinder) graph(ctx context.Context, a kith.Actor, contacts []Contact, times []Time, people []int64) (*Graph, error) {
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
	return NewGraph(contacts, theirs, shared, func(id int64) int { return sizes[id] }, f.today()), nil
}

func (f *Pathfinder) today() Day { return Day(f.now().UTC().Unix() / (24 * 60 * 60)) }

// paths are the ways to people who spent these times.
func (g *Graph) paths(people []int64, times []Time) []Paths {
	of := map[int64][]Time{}
	for _, t := range times {
		of[t.Person] = append(of[t.Person], t)
	}
	out := make([]Paths, len(people))
	for i, id := range people {
		out[i] = Paths{Person: id, Introductions: g.Introductions(id, of[id], nil)}
		if n := len(out[i].Introductions); n > MaxIntroducers {
			out[i].Introductions = slices.Clone(out[i].Introductions[:MaxIntroducers])
		}
		if c, ok := g.Contact(id); ok {
			out[i].Direct = &c
		}
	}
	return out
}
