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
	defer s.rememberSample()
	if err := s.usePrefilters(ctx); err != nil {
		return err
	}
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

func (s *search) rememberSample() {
	if s.list == nil {
		s.memory.keepSample(s.members.circle.ID, s.sample)
	}
}

// common is the selectivity from which on matches turn up soon without a prefilter.
const common = 1.0 / 16

// usePrefilters requests prefilters, unless so few people satisfy the search that listing them is cheaper, or so
// many that no prefilter is needed. With prefilters, a list that cannot be cached pays off for few people only.
func (s *search) usePrefilters(ctx context.Context) error {
	n, known := s.memory.listed(possible)
	if known && n < s.limits.Rare || s.sample.selectivity() > common || s.tiers.sortBy != "" {
		return nil
	}
	prefilters, err := s.tiers.index.Prefilters(ctx, s.tiers.conditions)
	if err != nil || len(prefilters) == 0 || prefilters[len(prefilters)-1] == nil {
		return err
	}
	s.members.prefilters, s.members.sifted = prefilters, map[network.Class][]network.Ranked{}
	s.limits.ListMatching = 0
	if s.lists.journal == nil {
		s.limits.ListPossible = min(s.limits.ListPossible, s.limits.Rare)
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
	for b, err := range s.blocks(ctx) {
		if err != nil {
			return err
		}
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
func (s *search) blocks(ctx context.Context) iter.Seq2[block, error] {
	return func(yield func(block, error) bool) {
		var few block
		for class := range network.Class(outside) {
			if s.page.hasPassed(stageOf(class, maxTiers-1)) {
				continue
			}
			inVain, err := s.members.sift(ctx, class, s.limits.WholeClass)
			if err != nil {
				yield(block{}, err)
				return
			}
			s.sample.add(inVain, 0)
			n := s.members.count(class)
			if few.people > 0 && n+few.people > s.atOnce() {
				if !yield(few, nil) {
					return
				}
				few = block{}
			}
			switch {
			case n == 0:
			case n <= s.atOnce():
				few.classes, few.people = append(few.classes, class), few.people+n
			case !s.inTiers(class, n, yield):
				return
			}
		}
		if few.people > 0 {
			yield(few, nil)
		}
	}
}

// inTiers yields the tiers of a large class.
func (s *search) inTiers(class network.Class, people int, yield func(block, error) bool) bool {
	for tier := range s.tiers.conditions {
		if !s.page.hasPassed(stageOf(class, tier)) &&
			!yield(block{classes: []network.Class{class}, people: people, tier: tier}, nil) {
			return false
		}
	}
	return true
}

// atOnce is the most people for one request by id, over all classes; fewer if a prefilter makes most of them matches.
func (s *search) atOnce() int {
	if !s.members.prefiltered() {
		return s.limits.AtOnce
	}
	return min(s.limits.AtOnce, 2*s.page.need())
}

func (s *search) inBlock(ctx context.Context, b block) error {
	class := b.classes[0]
	switch {
	case len(b.classes) > 1 || b.people <= s.atOnce():
		return s.searchSmall(ctx, b.classes)
	case b.people > s.limits.ByID,
		!s.members.prefiltered() && s.share(b.people) > max(s.limits.Dense, s.sample.selectivity()):
		return s.scans.find(ctx, stageOf(class, b.tier), func(id int64) bool { return s.members.circle.Is(class, id) },
			s.share(b.people))
	case s.tiers.sortBy != "":
		return s.atEngine(ctx, stageOf(class, b.tier),
			index.Within(s.tiers.condition(b.tier), s.members.circle.People(class)))
	}
	return s.inPieces(ctx, class, b.tier)
}

// searchSmall searches small classes: it fetches all matches and sorts them.
func (s *search) searchSmall(ctx context.Context, classes []network.Class) error {
	ids := s.members.ids(classes)
	likely := len(ids)
	if s.sample.asked > 0 && !s.members.prefiltered() {
		likely = int(s.sample.selectivity() * float64(likely))
	}
	found, err := s.tiers.findAmong(ctx, ids, s.page.mostWanted(likely))
	if err != nil {
		return err
	}
	for _, class := range classes {
		s.sample.add(int(s.members.standsFor(class)*float64(s.members.count(class))), 0)
	}
	s.sample.add(0, len(found[s.tiers.last()]))
	s.page.takeFirst(s.positions(found))
	return nil
}

// positions returns the positions of the people of the last tier.
func (s *search) positions(found [][]index.Hit) []index.Cursor {
	hits, tierOf := found[s.tiers.last()], s.tiers.tierFinder(found)
	positions := make([]index.Cursor, len(hits))
	for i, h := range hits {
		positions[i] = index.Cursor{Stage: stageOf(s.members.classOf(h.ID), tierOf(h.ID)), Sort: h.Sort, ID: h.ID}
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
	ranked, err := s.members.ranked(ctx, class)
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
		people, looked := s.members.take(ranked, tier, s.piece(), s.limits.MaxPiece)
		var hits []index.Hit
		if len(people) > 0 {
			hits, err = s.tiers.find(ctx, index.FindRequest{
				Query: index.Within(condition, idsOf(people)), After: after, Limit: s.page.need(),
			})
		}
		if err != nil {
			return err
		}
		s.learn(class, ranked[:looked], hits)
		ranked = ranked[looked:]
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
func (s *search) learn(class network.Class, piece []network.Ranked, hits []index.Hit) {
	looked := len(piece)
	if len(hits) == s.page.need() && len(hits) > 0 {
		last := hits[len(hits)-1].ID
		looked = slices.IndexFunc(piece, func(r network.Ranked) bool { return r.ID == last }) + 1
	}
	s.sample.add(int(s.members.standsFor(class)*float64(looked)), len(hits))
}

// piece is how many people are likely to contain the matches still needed.
func (s *search) piece() int {
	selectivity := s.sample.selectivity()
	switch {
	case s.members.prefiltered():
		s.lastPiece = max(2*s.page.need()+8, 4*s.lastPiece)
	case selectivity == 0:
		s.lastPiece = max(s.limits.FirstPiece, 4*s.lastPiece)
	default:
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
