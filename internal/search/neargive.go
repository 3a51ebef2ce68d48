package search

import (
	"encoding/json"

	"kith/index"
	"kith/query"
)

// give yields the people who come next, with their records. Whoever is gone
// meanwhile is left out. The records are looked up some at a time for a caller
// who was slow to take those before.
func (w *near) give(yield func(index.Found, error) bool) error {
	for len(w.next) > 0 {
		n := w.batch(len(w.next))
		if err := w.lookUp(w.next[:n]); err != nil {
			return err
		}
		for n > 0 && w.carried != nil {
			p := w.next[0]
			w.next, n = w.next[1:], n-1
			record, there := w.carried[p.id]
			delete(w.carried, p.id)
			w.after = &index.Cursor{Stage: p.stage, Sort: p.sort, ID: p.id}
			if !there {
				continue
			}
			w.left--
			if !yield(index.Found{Hit: index.Hit{ID: p.id, Sort: p.sort, Record: record}, Cursor: *w.after}, nil) {
				w.left = 0
				return nil
			}
		}
	}
	return nil
}

// lookUp fetches the records that did not come along.
func (w *near) lookUp(people []placed) error {
	var ids []int64
	for _, p := range people {
		if _, there := w.carried[p.id]; !there {
			ids = append(ids, p.id)
		}
	}
	if w.carried == nil {
		w.carried = map[int64]json.RawMessage{}
	}
	if len(ids) == 0 {
		return nil
	}
	hits, err := w.svc.cfg.Index.Hits(w.ctx, index.FindRequest{Query: query.IDs{Values: ids}, Limit: len(ids)})
	for _, h := range hits {
		w.carried[h.ID] = h.Record
	}
	return err
}

// keep keeps the record of someone who comes next, if it came along.
func (w *near) keep(h index.Hit) {
	if h.Record == nil {
		return
	}
	if w.carried == nil {
		w.carried = map[int64]json.RawMessage{}
	}
	w.carried[h.ID] = h.Record
}
