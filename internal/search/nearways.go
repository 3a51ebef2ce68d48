package search

import (
	"cmp"
	"slices"

	"kith/index"
	"kith/internal/network"
	"kith/query"
)

// together searches among few people: it takes all who satisfy the search and puts
// them in order.
func (w *near) together(b block) error {
	ids := w.circle.People(b.classes...)
	places, err := w.placed(func(q query.Query) ([]index.Hit, error) {
		return w.hits(index.Within(q, ids), nil, len(ids), false)
	})
	w.asked, w.found = w.asked+len(ids), w.found+len(places)
	if err == nil {
		w.takeBehind(places)
	}
	return err
}

// takeBehind adds the first of some people, behind the cursor, in order.
func (w *near) takeBehind(places []placed) {
	if w.after != nil {
		at := placed{stage: w.after.Stage, sort: w.after.Sort, id: w.after.ID}
		places = slices.DeleteFunc(slices.Clone(places), func(p placed) bool { return p.compare(at) <= 0 })
	}
	slices.SortFunc(places, placed.compare)
	w.next = append(w.next, places[:min(len(places), w.need())]...)
}

// takeAll starts anew, from all who satisfy the search.
func (w *near) takeAll() {
	w.next = nil
	w.takeBehind(w.all.places)
}

// pieces searches a class in pieces, the highest rank first: what one piece
// has comes before all that the next has.
func (w *near) pieces(class network.Class, tier int) error {
	stage, q := stageOf(class, tier), w.query(tier)
	ranked, err := w.svc.cfg.Network.ByRank(w.ctx, w.circle, class)
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
	for size := w.first; len(ranked) > 0; size = min(4*size, w.sizes.last) {
		n := min(size, len(ranked))
		ids := make([]int64, n)
		for i, r := range ranked[:n] {
			ids[i] = r.ID
		}
		ranked = ranked[n:]
		hits, err := w.hits(index.Within(q, ids), after, w.need(), true)
		if err != nil {
			return err
		}
		if w.take(hits, stage); w.need() == 0 {
			return nil
		}
		w.asked, w.found = w.asked+n, w.found+len(hits)
		if len(ranked) > w.first && w.maybeFew() && w.look() {
			return nil // the walk goes on with all who satisfy the search
		}
	}
	return nil
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
