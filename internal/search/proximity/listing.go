package proximity

import (
	"context"

	"kith/index"
	"kith/internal/network"
)

// way is a way to list who satisfies a search.
type way string

const (
	// possible lists all who may satisfy it.
	possible way = "may"
	// matching lists all who do.
	matching way = "do"
)

// limit is the number of people at which a way is given up.
func (s *search) limit(w way) int {
	if w == possible {
		return s.limits.ListPossible
	}
	return s.limits.ListMatching
}

// ways are all, the one first that costs less a person.
func ways() []way { return []way{possible, matching} }

// fewKnown reports whether few were listed the last time; known is false where it
// was not tried.
func (s *search) fewKnown() (few, known bool) {
	for _, w := range ways() {
		n, known := s.memory.listed(w)
		if !known || n < s.limit(w) {
			return known, known
		}
	}
	return false, true
}

// maybeFew reports whether it is worth listing who satisfies the search: by what
// is known of it, or by how many did of those who were asked for so far.
func (s *search) maybeFew() bool {
	few, known := s.fewKnown()
	return few || !known && s.sample.selectivity()*float64(s.population) < 2*float64(s.limits.ListPossible)
}

// listRare lists all who satisfy the search, by tier, where hardly anyone did
// the last time.
func (s *search) listRare(ctx context.Context) error {
	n, known := s.memory.listed(possible)
	if !known || n > s.limits.AtOnce {
		return nil
	}
	at, err := s.lists.level(ctx)
	if err != nil {
		return err
	}
	records := s.page.mostWanted(n)
	found, err := s.tiers.findEach(ctx, func(tier int) index.FindRequest {
		return index.FindRequest{
			Query: s.tiers.conditions[tier], Limit: s.limits.AtOnce + 1,
			NoRecord: !records || tier < s.tiers.last(),
		}
	})
	if err == nil && len(found[s.tiers.last()]) <= s.limits.AtOnce {
		s.list = s.newList(s.decided(found), at)
	}
	return err
}

// listAll lists who satisfies the search, or may, unless they are too many.
func (s *search) listAll(ctx context.Context) error {
	for _, w := range ways() {
		limit := s.limit(w)
		if n, known := s.memory.listed(w); known && n >= limit || limit == 0 {
			continue
		}
		at, err := s.lists.level(ctx)
		if err != nil {
			return err
		}
		hits, err := s.tiers.find(ctx, index.FindRequest{
			Query: s.tiers.conditions[s.tiers.last()], Limit: limit, NoRecord: true, Loose: w == possible,
		})
		if err != nil {
			return err
		}
		s.memory.keepListed(w, len(hits))
		if len(hits) < limit {
			s.list = s.newList(s.undecided(hits), at)
			return nil
		}
	}
	return nil
}

// undecided are people of whom it is not known which tiers they satisfy, unless
// there is but one and the engine says so.
func (s *search) undecided(hits []index.Hit) []candidate {
	people := make([]candidate, len(hits))
	for i, h := range hits {
		people[i] = candidate{
			Ranked: network.Ranked{ID: h.ID, Rank: h.Sort}, class: s.members.classOf(h.ID),
			sure: !h.Maybe, fits: !h.Maybe && s.tiers.last() == 0,
		}
	}
	return people
}

// decided are the people of all tiers, each with the first tier that has them.
func (s *search) decided(found [][]index.Hit) []candidate {
	places := s.places(found)
	people := make([]candidate, len(places))
	for i, p := range places {
		people[i] = candidate{
			Ranked: network.Ranked{ID: p.ID, Rank: p.Sort}, class: classOf(p.Stage),
			tier: int8(tierOf(p.Stage)), fits: true,
		}
	}
	return people
}
