package proximity

import (
	"context"

	"kith/index"
	"kith/internal/network"
)

// way is a method of listing who satisfies a search.
type way string

const (
	// possible lists everyone who may satisfy it.
	possible way = "may"
	// matching lists everyone who does.
	matching way = "do"
)

// limit is the number of people at which a method gives up.
func (s *search) limit(w way) int {
	if w == possible {
		return s.limits.ListPossible
	}
	return s.limits.ListMatching
}

// ways returns all methods, the cheaper per person first.
func ways() []way { return []way{possible, matching} }

// foundFew reports whether the last listing found few people; known is false if a method that may
// find few was not tried.
func (s *search) foundFew() (few, known bool) {
	for _, w := range ways() {
		n, known := s.memory.listed(w)
		if !known || n < s.limit(w) {
			return known, known
		}
	}
	return false, true
}

// maybeFew reports whether listing everyone who satisfies the search is worthwhile, judged by earlier listings or by
// the selectivity so far.
func (s *search) maybeFew() bool {
	few, known := s.foundFew()
	return few || !known && s.sample.selectivity()*float64(s.population) < 2*float64(s.limits.ListPossible)
}

// listRare lists everyone who satisfies the search, by tier, if hardly anyone did the last time.
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
			Query: s.tiers.conditions[tier], Limit: s.limits.AtOnce + 1, NoRecord: !records || tier < s.tiers.last(),
		}
	})
	if err == nil && len(found[s.tiers.last()]) <= s.limits.AtOnce {
		s.list = s.newList(s.decided(found), at)
	}
	return err
}

// listAll lists everyone who satisfies the search, or may, unless they are too many.
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

// undecided returns people whose tier is unknown, except when there is only one tier and the engine is certain.
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

// decided returns the people of all tiers, each with the first tier that contains them.
func (s *search) decided(found [][]index.Hit) []candidate {
	positions := s.positions(found)
	people := make([]candidate, len(positions))
	for i, p := range positions {
		people[i] = candidate{
			Ranked: network.Ranked{ID: p.ID, Rank: p.Sort}, class: classOf(p.Stage),
			tier: int8(tierOf(p.Stage)), fits: true,
		}
	}
	return people
}
