package search

import (
	"cmp"
	"slices"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/index"
	"kith/internal/network"
	"kith/query"
)

// together searches among few people: it takes all who satisfy the search and
// puts them in order.
func (w *near) together(b block) error {
	ids := w.idsIn(b.classes)
	likely := len(ids)
	if w.probed > 0 && !w.sieved() {
		likely = int(w.selectivity() * float64(likely))
	}
	found, err := w.each(func(q query.Query) query.Query { return index.Within(q, ids) }, len(ids), w.mostWanted(likely))
	if err != nil {
		return err
	}
	for _, class := range b.classes {
		w.probed += int(w.weight(class) * float64(w.count(class)))
	}
	w.matched += len(found[len(found)-1])
	w.takeBehind(w.places(found))
	return nil
}

// mostWanted reports whether so many people are hardly more than are needed, so
// that their records may come along: a record costs as much as to find several
// people.
func (w *near) mostWanted(people int) bool { return people <= w.need()+w.need()/4 }

// each asks for at most limit people of each tier, the last with or without
// records.
func (w *near) each(of func(query.Query) query.Query, limit int, records bool) ([][]index.Hit, error) {
	found := make([][]index.Hit, len(w.tier))
	var group errgroup.Group
	for tier := range w.tier {
		group.Go(func() error {
			return kith.Safely(func() (err error) {
				found[tier], err = w.hits(of(w.tier[tier]), nil, limit, records && tier == len(w.tier)-1)
				return err
			})
		})
	}
	return found, group.Wait()
}

// places says where the people of the last tier stand in the order; those whom a
// tier before has as well are exact.
func (w *near) places(found [][]index.Hit) []placed {
	last := len(found) - 1
	exact := map[int64]bool{}
	for _, h := range slices.Concat(found[:last]...) {
		exact[h.ID] = true
	}
	places := make([]placed, 0, len(found[last]))
	for _, h := range found[last] {
		tier := last
		if exact[h.ID] {
			tier = 0
		}
		places = append(places, placed{stage: stageOf(w.classOf(h.ID), tier), sort: h.Sort, id: h.ID})
		w.keep(h)
	}
	return places
}

// takeBehind adds the first of some people, behind the cursor, in order.
func (w *near) takeBehind(places []placed) {
	places = slices.DeleteFunc(places, func(p placed) bool { return !w.behind(p) })
	slices.SortFunc(places, placed.compare)
	w.next = append(w.next, places[:min(len(places), w.need())]...)
}

// pieces searches a class in pieces, the highest rank first: what one piece
// has comes before all that the next has.
func (w *near) pieces(class network.Class, tier int) error {
	stage, q := stageOf(class, tier), w.query(tier)
	ranked, err := w.ranked(class)
	if err != nil {
		return err
	}
	after := w.position(stage)
	if after != nil {
		i, _ := slices.BinarySearchFunc(ranked, *after, func(r network.Ranked, p index.Position) int {
			return cmp.Or(cmp.Compare(p.Sort, r.Rank), cmp.Compare(r.ID, p.ID))
		})
		ranked = ranked[i:]
	}
	for len(ranked) > 0 {
		people, looked := w.pieceOf(ranked, tier)
		hits, err := w.hitsAmong(people, q, after)
		if err != nil {
			return err
		}
		w.learn(class, ranked[:looked], hits)
		ranked = ranked[looked:]
		if w.take(hits, stage); w.need() == 0 {
			return nil
		}
		if len(ranked) > w.first && w.maybeFew() {
			if err := w.listCandidates(); err != nil || w.candidates != nil {
				return err
			}
		}
	}
	return nil
}

// hitsAmong asks for those of some people who satisfy a query.
func (w *near) hitsAmong(people []network.Ranked, q query.Query, after *index.Position) ([]index.Hit, error) {
	if len(people) == 0 {
		return nil, nil
	}
	return w.hits(index.Within(q, rankedIDs(people)), after, w.need(), true)
}

// learn notes how many of the people of a piece satisfied the search, as far as
// it was looked at.
func (w *near) learn(class network.Class, piece []network.Ranked, hits []index.Hit) {
	looked := len(piece)
	if len(hits) == w.need() && len(hits) > 0 {
		last := hits[len(hits)-1].ID
		looked = slices.IndexFunc(piece, func(r network.Ranked) bool { return r.ID == last }) + 1
	}
	w.probed, w.matched = w.probed+int(w.weight(class)*float64(looked)), w.matched+len(hits)
}

// piece is how many people are likely to have those among them who are needed.
func (w *near) piece() int {
	s := w.selectivity()
	switch {
	case w.sieved():
		w.lastPiece = max(2*w.need()+8, 4*w.lastPiece)
	case s == 0:
		w.lastPiece = max(w.first, 4*w.lastPiece)
	default:
		w.lastPiece = max(int(1.4*float64(w.need())/s)+8, w.first/4)
	}
	w.lastPiece = min(w.lastPiece, w.sizes.last)
	return w.lastPiece
}

// whole searches a class that comes by a judgement.
func (w *near) whole(class network.Class, tier int) error {
	stage := stageOf(class, tier)
	hits, err := w.hits(index.Within(w.query(tier), w.circle.People(class)), w.position(stage), w.need(), true)
	if err == nil {
		w.take(hits, stage)
	}
	return err
}

// through goes through everyone who satisfies a tier, in order, and keeps some:
// about a share of them, as far as it is known.
func (w *near) through(stage, tier int, keep func(int64) bool, share float64) error {
	s := w.scan(tier, w.position(stage))
	for i := 0; ; i++ {
		if i == len(s.hits) && !s.end {
			if err := w.extend(s, w.step(s, share), share); err != nil {
				return err
			}
		}
		if i == len(s.hits) {
			return nil
		}
		if !keep(s.hits[i].ID) {
			continue
		}
		if w.take(s.hits[i:i+1], stage); w.need() == 0 {
			return nil
		}
	}
}

// beyond searches among everyone who is not within reach.
func (w *near) beyond(tier int) error {
	stage := stageOf(outside, tier)
	if w.past(stage) {
		return nil
	}
	if w.circle.Size() > w.few {
		return w.through(stage, tier, func(id int64) bool { return !w.circle.Contains(id) }, max(1-w.share(w.circle.Size()), 0.01))
	}
	hits, err := w.hits(index.Without(w.query(tier), w.circle.People()), w.position(stage), w.need(), true)
	if err == nil {
		w.take(hits, stage)
	}
	return err
}
