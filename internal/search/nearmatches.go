package search

import (
	"cmp"
	"encoding/json"

	"kith/index"
	"kith/query"
)

// matches are those who satisfy a search, as far as they were looked for.
type matches struct {
	complete bool
	places   []placed
}

// placed is a person with the place in the order.
type placed struct {
	stage    int
	sort, id int64
}

func (p placed) compare(q placed) int {
	return cmp.Or(cmp.Compare(p.stage, q.stage), cmp.Compare(q.sort, p.sort), cmp.Compare(p.id, q.id))
}

// placed finds people with each tier and says where in the order they stand.
func (w *near) placed(find func(query.Query) ([]index.Hit, error)) ([]placed, error) {
	last := len(w.tier) - 1
	hits, err := find(w.tier[last])
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	exact := map[int64]bool{}
	if last > 0 {
		first, err := find(w.tier[0])
		if err != nil {
			return nil, err
		}
		for _, h := range first {
			exact[h.ID] = true
		}
	}
	places := make([]placed, 0, len(hits))
	for _, h := range hits {
		class, within := w.circle.Of(h.ID)
		if !within {
			class = outside
		}
		tier := last
		if exact[h.ID] {
			tier = 0
		}
		if within || !w.noOneElse() {
			places = append(places, placed{stage: stageOf(class, tier), sort: h.Sort, id: h.ID})
		}
	}
	return places, nil
}

// maybeFew reports whether it is worth looking for all who satisfy the search,
// by what was found last time, or among those who were asked for so far.
func (w *near) maybeFew() bool {
	if n, known := w.svc.matching.Get(w.key()); known {
		return n < w.few
	}
	return w.selectivity()*float64(w.svc.cfg.Network.People()) < 2*float64(w.few)
}

// look reports whether all who satisfy the search are known, after it has
// looked for them, once: where it is likely that few do, further.
func (w *near) look() bool {
	if w.all == nil {
		w.all = w.everyone()
	}
	return w.known()
}

// known reports whether all who satisfy the search are known.
func (w *near) known() bool { return w.all != nil && w.all.complete }

// rare reports whether few of those who were asked for satisfied the search.
func (w *near) rare() bool { return w.asked > 0 && w.selectivity() < w.seldom }

// everyone looks for all who satisfy the search, up to a number. An error will
// show again in the way that is taken instead.
func (w *near) everyone() *matches {
	last, wasKnown := w.svc.matching.Get(w.key())
	brief := wasKnown && last <= w.short
	tooMany, most := false, 0
	have := map[int64]json.RawMessage{}
	places, err := w.placed(func(q query.Query) ([]index.Hit, error) {
		limit := max(w.few, 1)
		hits, err := w.hits(q, nil, limit, brief)
		if err == nil && len(hits) == limit && w.rare() {
			at := hits[len(hits)-1]
			first := limit
			limit = w.sizes.matches
			var more []index.Hit
			more, err = w.hits(q, &index.Position{Sort: at.Sort, ID: at.ID}, limit-first, brief)
			hits = append(hits, more...)
		}
		for _, h := range hits {
			have[h.ID] = h.Record
		}
		most, tooMany = max(most, len(hits)), tooMany || len(hits) == limit
		return hits, err
	})
	if err == nil {
		w.svc.matching.Add(w.key(), most)
	}
	complete := err == nil && !tooMany
	if brief && complete {
		w.carried = have
	}
	return &matches{places: places, complete: complete}
}

// key stands for the search, whoever asks it.
func (w *near) key() string {
	if w.name == "" {
		digest, _ := w.identity() // a search without a name is not remembered well, and found all the same
		w.name = string(digest)
	}
	return w.name
}
