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
	if err != nil {
		return err
	}
	return w.listed(places)
}

// listed yields people whose places are known, behind the cursor, in order.
func (w *near) listed(places []placed) error {
	if w.after != nil {
		at := placed{stage: w.after.Stage, sort: w.after.Sort, id: w.after.ID}
		places = slices.DeleteFunc(slices.Clone(places), func(p placed) bool { return p.compare(at) <= 0 })
	}
	slices.SortFunc(places, placed.compare)
	for len(places) > 0 && w.left > 0 {
		n := min(len(places), w.left)
		if err := w.records(places[:n]); err != nil {
			return err
		}
		places = places[n:]
	}
	return nil
}

// records yields people with their records; who is gone meanwhile is left out.
func (w *near) records(places []placed) error {
	ids := make([]int64, len(places))
	for i, p := range places {
		ids[i] = p.id
	}
	byID := w.have
	if byID == nil {
		hits, err := w.svc.cfg.Index.Hits(w.ctx, index.FindRequest{Query: query.IDs{Values: ids}, Limit: len(ids)})
		if err != nil {
			return err
		}
		byID = make(map[int64]index.Hit, len(hits))
		for _, h := range hits {
			byID[h.ID] = h
		}
	}
	for _, p := range places {
		if h, there := byID[p.id]; there {
			h.Sort = p.sort
			if !w.give(h, p.stage) {
				return nil
			}
		}
	}
	return nil
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
	for size := w.first; len(ranked) > 0; size = min(4*size, w.last) {
		n := min(size, len(ranked))
		ids := make([]int64, n)
		for i, r := range ranked[:n] {
			ids[i] = r.ID
		}
		ranked = ranked[n:]
		hits, err := w.hits(index.Within(q, ids), after, w.left, true)
		if err != nil {
			return err
		}
		if w.giveAll(hits, stage); w.left == 0 {
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
	hits, err := w.hits(index.Within(w.query(tier), w.circle.People(class)), w.position(stage), w.left, true)
	if err == nil {
		w.giveAll(hits, stage)
	}
	return err
}

// through goes through everyone who satisfies a query, in order, and keeps some:
// about a share of them, as far as it is known. Where most are kept their
// records come along.
func (w *near) through(stage int, q query.Query, keep func(int64) bool, share float64) error {
	after := w.position(stage)
	most := share > 0.5
	n := w.left + w.left/4 + 4
	if share > 0 {
		n = max(n, int(1.3*float64(w.left)/share))
	}
	for n = min(n, w.scan); ; n = min(4*n, w.scan) {
		hits, err := w.hits(q, after, n, most)
		if err != nil {
			return err
		}
		end := len(hits) < n
		if len(hits) > 0 {
			last := hits[len(hits)-1]
			after = &index.Position{Sort: last.Sort, ID: last.ID}
		}
		passed := len(hits)
		hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return !keep(h.ID) })
		if err := w.kept(hits, stage, most); err != nil || w.left == 0 || end {
			return err
		}
		most = most && 2*len(hits) > passed
	}
}

// kept yields those whom a scan kept.
func (w *near) kept(hits []index.Hit, stage int, records bool) error {
	if records {
		w.giveAll(hits, stage)
		return nil
	}
	places := make([]placed, 0, w.left)
	for _, h := range hits[:min(len(hits), w.left)] {
		places = append(places, placed{stage: stage, sort: h.Sort, id: h.ID})
	}
	if len(places) == 0 {
		return nil
	}
	return w.records(places)
}

// beyond searches among everyone who is not within reach.
func (w *near) beyond(tier int) error {
	stage := stageOf(outside, tier)
	if w.past(stage) {
		return nil
	}
	if w.circle.Size() > w.few {
		return w.through(stage, w.query(tier), func(id int64) bool { return !w.circle.Contains(id) }, max(1-w.share(w.circle.Size()), 0.01))
	}
	hits, err := w.hits(index.Without(w.query(tier), w.circle.People()), w.position(stage), w.left, true)
	if err == nil {
		w.giveAll(hits, stage)
	}
	return err
}
