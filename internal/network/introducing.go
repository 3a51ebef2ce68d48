package network

import (
	"cmp"
	"context"
	"slices"

	"kith"
)

// Acquaintance is a person a contact can introduce the caller to, with the strength of the path.
type Acquaintance struct {
	Person int64
	Score  float64
}

// MaxAcquaintances is how many people are listed for one contact.
const MaxAcquaintances = 10

// Introduces returns the people of Filter.Introducing that each person of degree 1 can introduce the caller to: by
// contact, the strongest path first, at most [MaxAcquaintances]. It leaves out contacts who know none of them.
func (c *Circles) Introduces(ctx context.Context, a kith.Actor, f Filter) (map[int64][]Acquaintance, error) {
	s, err := c.survey(ctx, a, f)
	if err != nil {
		return nil, err
	}
	return s.ways, nil
}

// directFirst is added to the score of a relationship to one of the people asked for: they come before introducers,
// whose paths score at most MaxScore.
const directFirst = MaxScore + 1

// introducing makes the circle of the contacts who are among some people, or know one of them.
func (c *Circles) introducing(ctx context.Context, s *survey, contacts []Contact) error {
	g, times, err := c.readGraph(ctx, s, contacts)
	if err != nil {
		return err
	}
	s.ways = map[int64][]Acquaintance{}
	scores := map[int64]float64{}
	for _, target := range s.filter.Introducing {
		for _, i := range g.introductions(len(contacts), target, times[target], s.filter.bond) {
			id, score := i.Introducer.Person, i.Score()
			s.ways[id] = append(s.ways[id], Acquaintance{Person: target, Score: score})
			scores[id] = max(scores[id], score)
		}
	}
	for id, ways := range s.ways {
		slices.SortStableFunc(ways, func(a, b Acquaintance) int { return cmp.Compare(b.Score, a.Score) })
		s.ways[id] = slices.Clone(ways[:min(len(ways), MaxAcquaintances)])
	}
	for _, id := range s.filter.Introducing {
		if contact, may := g.contacts[id]; may && s.filter.direct() {
			scores[id] = directFirst + contact.Score
		}
	}
	sets := emptySets()
	for id := range scores {
		sets[classify(1, g.contacts[id].Score)].Add(uint64(id))
	}
	s.circle, err = newCircle(s.caller.UserID, sets, groupByScore(scores), s.stamp.Sharers)
	return err
}

// readGraph returns the graph of the contacts who may introduce, limited to the organizations of the people to be
// introduced to, and the times of these people.
func (c *Circles) readGraph(ctx context.Context, s *survey, contacts []Contact) (*graph, map[int64][]Time, error) {
	var may []Contact
	var ids []int64
	for _, contact := range contacts {
		if s.filter.knows(contact) {
			may, ids = append(may, contact), append(ids, contact.Person)
		}
	}
	targets, err := c.store.TimesOf(ctx, s.filter.Introducing)
	if err != nil {
		return nil, nil, err
	}
	of, at := map[int64][]Time{}, map[Org]bool{}
	for _, t := range targets {
		of[t.Person], at[t.Org] = append(of[t.Person], t), true
	}
	theirs, err := c.store.TimesOf(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	theirs = slices.DeleteFunc(theirs, func(t Time) bool { return !at[t.Org] })
	g := newGraph(may, theirs, nil, nil, s.stamp.Day)
	sizes, err := c.store.Sizes(ctx, companyIDs(g.orgs()))
	if err != nil {
		return nil, nil, err
	}
	g.size = func(id int64) int { return sizes[id] }
	g.shared, err = c.sharedWith(ctx, s, s.filter.Introducing)
	return g, of, err
}
