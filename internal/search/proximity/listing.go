package proximity

import (
	"context"

	"kith/index"
	"kith/internal/network"
)

// foundFew reports whether the last listing found few people; known is false before the first.
func (s *search) foundFew() (few, known bool) {
	n, known := s.memory.listed()
	return known && n < s.limits.List, known
}

// maybeFew reports whether listing everyone who satisfies the search is worthwhile, judged by earlier listings or by
// the selectivity so far.
func (s *search) maybeFew() bool {
	few, known := s.foundFew()
	return few || !known && s.sample.selectivity()*float64(s.population) < 2*float64(s.limits.List)
}

// listRare lists everyone who satisfies the search, by tier, if hardly anyone did the last time.
func (s *search) listRare(ctx context.Context) error {
	n, known := s.memory.listed()
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
	limit := s.limits.List
	if n, known := s.memory.listed(); known && n >= limit || limit == 0 {
		return nil
	}
	at, err := s.lists.level(ctx)
	if err != nil {
		return err
	}
	hits, err := s.tiers.find(ctx, index.FindRequest{
		Query: s.tiers.conditions[s.tiers.last()], Limit: limit, NoRecord: true, Loose: true,
	})
	if err != nil {
		return err
	}
	if s.memory.keepListed(len(hits)); len(hits) < limit {
		s.list = s.newList(s.undecided(hits), at)
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
	positions := s.positions(found, s.stageOf)
	people := make([]candidate, len(positions))
	for i, p := range positions {
		people[i] = candidate{
			Ranked: network.Ranked{ID: p.ID, Rank: p.Sort}, class: classOf(p.Stage),
			tier: int8(tierOf(p.Stage)), fits: true,
		}
	}
	return people
}
