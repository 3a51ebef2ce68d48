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
	may := slices.DeleteFunc(contacts, func(contact Contact) bool { return !s.filter.knows(contact) })
	g, times, err := c.graphTo(ctx, may, s.filter.Introducing, s.stamp.Day)
	if err != nil {
		return err
	}
	if g.shared, err = c.sharedWith(ctx, s, s.filter.Introducing); err != nil {
		return err
	}
	s.ways = map[int64][]Acquaintance{}
	scores := map[int64]float64{}
	for _, target := range s.filter.Introducing {
		for _, i := range g.introductions(len(may), target, times[target], s.filter.bond) {
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
