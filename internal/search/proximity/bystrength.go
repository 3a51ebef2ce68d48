package proximity

import (
	"context"
	"slices"

	"kith/index"
)

// byStrength finds people in a circle ordered by strength: highest score first, and within one score in the order of
// any stage. The stage of a cursor is the index of the score times maxTiers, plus the tier.
func (s *search) byStrength(ctx context.Context) error {
	all := s.members.circle.Strengths()
	at := 0
	if s.page.after != nil {
		at = s.page.after.Stage / maxTiers
	}
	for most := s.limits.AtOnce; at < len(all) && s.page.need() > 0; most = min(4*most, s.limits.MaxPiece) {
		n, people := 1, len(all[at].People)
		for at+n < len(all) && people+len(all[at+n].People) <= most {
			people += len(all[at+n].People)
			n++
		}
		find := s.ofStrengths
		if people > most {
			find = s.ofOneStrength
		}
		if err := find(ctx, at, at+n); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// ofStrengths fetches all matches among the people of some scores and sorts them.
func (s *search) ofStrengths(ctx context.Context, from, to int) error {
	var ids []int64
	strength := map[int64]int{}
	for i, one := range s.members.circle.Strengths()[from:to] {
		for _, id := range one.People {
			ids, strength[id] = append(ids, id), from+i
		}
	}
	found, err := s.tiers.findAmong(ctx, ids, s.page.mostWanted(len(ids)))
	if err != nil {
		return err
	}
	stage := func(person int64, tier int) int { return strength[person]*maxTiers + tier }
	s.page.takeFirst(s.positions(found, stage))
	return nil
}

// ofOneStrength lets the engine sort the many people of one score, in pieces of the largest size it accepts.
func (s *search) ofOneStrength(ctx context.Context, at, _ int) error {
	people := s.members.circle.Strengths()[at].People
	for tier := range s.tiers.conditions {
		stage := at*maxTiers + tier
		if s.page.hasPassed(stage) || s.page.need() == 0 {
			continue
		}
		var positions []index.Cursor
		for piece := range slices.Chunk(people, s.limits.MaxPiece) {
			hits, err := s.tiers.find(ctx, index.FindRequest{
				Query: index.Within(s.tiers.condition(tier), piece), After: s.page.position(stage),
				Limit:    s.page.need(),
				NoRecord: len(people) > s.limits.MaxPiece,
			})
			if err != nil {
				return err
			}
			for _, h := range hits {
				positions = append(positions, index.Cursor{Stage: stage, Sort: h.Sort, ID: h.ID})
				s.page.buffer.keep(h)
			}
		}
		s.page.takeFirst(positions)
	}
	return nil
}
