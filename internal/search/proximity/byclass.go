package proximity

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"kith/index"
	"kith/internal/network"
	"kith/query"
)

// byClass finds people class by class, then everyone else. If it learns that few people satisfy the search, it lists
// them instead.
func (s *search) byClass(ctx context.Context) error {
	s.sample = s.memory.sample(s.members.circle.ID, s.limits.AtOnce)
	defer func() {
		if s.list == nil {
			s.memory.keepSample(s.members.circle.ID, s.sample)
		}
	}()
	if few, _ := s.foundFew(); few {
		if err := s.listAll(ctx); err != nil || s.list != nil {
			return err
		}
	}
	if err := s.inBlocks(ctx); err != nil || s.list != nil || s.page.need() == 0 || s.circleOnly {
		return err
	}
	for tier := range s.tiers.conditions {
		if err := s.everyoneElse(ctx, tier); err != nil || s.page.need() == 0 {
			return err
		}
	}
	return nil
}

// block is a part of the order that is searched at once: several classes, or one tier of one class.
type block struct {
	classes []network.Class
	people  int
	tier    int
}

// inBlocks finds people within reach block by block, until there are enough or a list of all replaces the search.
func (s *search) inBlocks(ctx context.Context) error {
	first := true
	for b := range s.blocks() {
		if !first && s.maybeFew() {
			if err := s.listAll(ctx); err != nil || s.list != nil {
				return err
			}
		}
		first = false
		if err := s.inBlock(ctx, b); err != nil || s.list != nil || s.page.need() == 0 {
			return err
		}
	}
	return nil
}

// blocks yields the parts of the order after the cursor. It groups small classes.
func (s *search) blocks() iter.Seq[block] {
	return func(yield func(block) bool) {
		var few block
		for class := range network.Class(outside) {
			if s.page.hasPassed(stageOf(class, maxTiers-1)) {
				continue
			}
			n := s.members.circle.Count(class)
			if few.people > 0 && n+few.people > s.limits.AtOnce {
				if !yield(few) {
					return
				}
				few = block{}
			}
			switch {
			case n == 0:
			case n <= s.limits.AtOnce:
				few.classes, few.people = append(few.classes, class), few.people+n
			case !s.inTiers(class, n, yield):
				return
			}
		}
		if few.people > 0 {
			yield(few)
		}
	}
}

// inTiers yields the tiers of a large class.
func (s *search) inTiers(class network.Class, people int, yield func(block) bool) bool {
	for tier := range s.tiers.conditions {
		if !s.page.hasPassed(stageOf(class, tier)) &&
			!yield(block{classes: []network.Class{class}, people: people, tier: tier}) {
			return false
		}
	}
	return true
}

func (s *search) inBlock(ctx context.Context, b block) error {
	class := b.classes[0]
	switch {
	case len(b.classes) > 1 || b.people <= s.limits.AtOnce:
		return s.searchSmall(ctx, b.classes)
	case b.people > s.limits.ByID:
		return s.scans.find(ctx, stageOf(class, b.tier), func(id int64) bool { return s.members.circle.Is(class, id) },
			s.share(b.people))
	case s.tiers.sortBy != "":
		return s.atEngine(ctx, stageOf(class, b.tier),
			index.Within(s.tiers.condition(b.tier), s.members.circle.PeopleOf(class)))
	}
	return s.inPieces(ctx, class, b.tier)
}

// searchSmall searches small classes: it fetches all matches and sorts them.
func (s *search) searchSmall(ctx context.Context, classes []network.Class) error {
	var ids []int64
	for _, class := range classes {
		ids = append(ids, s.members.circle.PeopleOf(class)...)
	}
	likely := len(ids)
	if s.sample.asked > 0 {
		likely = int(s.sample.selectivity() * float64(likely))
	}
	found, err := s.tiers.findAmong(ctx, ids, s.page.mostWanted(likely))
	if err != nil {
		return err
	}
	s.sample.add(len(ids), len(found[s.tiers.last()]))
	s.page.takeFirst(s.positions(found, s.stageOf))
	return nil
}

// stageOf returns the stage of a person in a tier.
func (s *search) stageOf(person int64, tier int) int { return stageOf(s.members.classOf(person), tier) }

// positions returns the positions of the people of the last tier, and keeps their records.
func (s *search) positions(found [][]index.Hit, stage func(person int64, tier int) int) []index.Cursor {
	hits, tierOf := found[s.tiers.last()], s.tiers.tierFinder(found)
	positions := make([]index.Cursor, len(hits))
	for i, h := range hits {
		positions[i] = index.Cursor{Stage: stage(h.ID, tierOf(h.ID)), Sort: h.Sort, ID: h.ID}
		s.page.buffer.keep(h)
	}
	return positions
}

// atEngine lets the engine sort the people of a stage: for an order by judgement, or if hardly anyone has to be left
// out.
func (s *search) atEngine(ctx context.Context, stage int, q query.Query) error {
	hits, err := s.tiers.find(ctx, index.FindRequest{Query: q, After: s.page.position(stage), Limit: s.page.need()})
	if err == nil {
		s.page.take(hits, stage)
	}
	return err
}

// inPieces searches a class in pieces, highest rank first: all of one piece comes before all of the next.
func (s *search) inPieces(ctx context.Context, class network.Class, tier int) error {
	stage, condition := stageOf(class, tier), s.tiers.condition(tier)
	ranked, err := s.members.byRank(ctx, class)
	if err != nil {
		return err
	}
	after := s.page.position(stage)
	if after != nil {
		i, _ := slices.BinarySearchFunc(ranked, *after, func(r network.Ranked, p index.Position) int {
			return cmp.Or(cmp.Compare(p.Sort, r.Rank), cmp.Compare(r.ID, p.ID))
		})
		ranked = ranked[i:]
	}
	for len(ranked) > 0 {
		piece := ranked[:min(s.piece(), len(ranked))]
		ranked = ranked[len(piece):]
		hits, err := s.tiers.find(ctx, index.FindRequest{
			Query: index.Within(condition, idsOf(piece)), After: after, Limit: s.page.need(),
		})
		if err != nil {
			return err
		}
		s.learn(piece, hits)
		if s.page.take(hits, stage); s.page.need() == 0 {
			return nil
		}
		if len(ranked) > s.limits.FirstPiece && s.maybeFew() {
			if err := s.listAll(ctx); err != nil || s.list != nil {
				return err
			}
		}
	}
	return nil
}

// learn records how many people of a piece satisfied the search, up to the last one looked at.
func (s *search) learn(piece []network.Ranked, hits []index.Hit) {
	looked := len(piece)
	if len(hits) == s.page.need() && len(hits) > 0 {
		last := hits[len(hits)-1].ID
		looked = slices.IndexFunc(piece, func(r network.Ranked) bool { return r.ID == last }) + 1
	}
	s.sample.add(looked, len(hits))
}

// piece is how many people are likely to contain the matches still needed.
func (s *search) piece() int {
	selectivity := s.sample.selectivity()
	if selectivity == 0 {
		s.lastPiece = max(s.limits.FirstPiece, 4*s.lastPiece)
	} else {
		s.lastPiece = max(int(1.4*float64(s.page.need())/selectivity)+8, s.limits.FirstPiece/4)
	}
	s.lastPiece = min(s.lastPiece, s.limits.MaxPiece)
	return s.lastPiece
}

// everyoneElse searches among people beyond reach.
func (s *search) everyoneElse(ctx context.Context, tier int) error {
	stage, circle := stageOf(outside, tier), s.members.circle
	if s.page.hasPassed(stage) {
		return nil
	}
	if circle.Size() > s.limits.AtOnce {
		return s.scans.find(ctx, stage, func(id int64) bool { return !circle.Contains(id) },
			max(1-s.share(circle.Size()), 0.01))
	}
	return s.atEngine(ctx, stage, index.Without(s.tiers.condition(tier), circle.People()))
}
