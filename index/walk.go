package index

import (
	"context"

	"kith/query"
)

// walk reads the people of a query in order, one part at a time.
type walk struct {
	index *Index
	c     Collection
	// req is the request for the next part, without its limit.
	req FindRequest
	// question is nil where the engine answers the whole query.
	question *question
	// looked counts checked people, passed those who satisfied the query; size is the last batch.
	looked, passed, size int
}

func (ix *Index) walk(c Collection, req FindRequest) *walk {
	return &walk{index: ix, c: c, req: req, question: questionOf(req.Query)}
}

// next returns the next people, at most limit; more is true if others may follow. With a question it checks one
// batch, so it may return fewer people, or none.
func (w *walk) next(ctx context.Context, limit int) (hits []Hit, more bool, err error) {
	req := w.req
	req.Limit = limit
	if w.question != nil {
		req.Query, req.Limit = w.question.asked, w.batch(limit)
	}
	if _, none := req.Query.(query.None); none {
		return nil, false, ctx.Err()
	}
	if hits, err = w.index.ask(ctx, w.c, req); err != nil {
		return nil, false, err
	}
	more = len(hits) == req.Limit
	if len(hits) > 0 {
		w.continueAfter(hits[len(hits)-1])
	}
	if w.question == nil || len(hits) == 0 {
		return hits, more, nil
	}
	if hits, err = w.checked(ctx, hits); err != nil {
		return nil, false, err
	}
	if len(hits) > limit {
		hits, more = hits[:limit], true
		w.continueAfter(hits[limit-1])
	}
	return hits, more, nil
}

// continueAfter continues the walk after a person.
func (w *walk) continueAfter(h Hit) { w.req.After = &Position{Sort: h.Sort, ID: h.ID} }

// checked returns which of some people satisfy the query.
func (w *walk) checked(ctx context.Context, hits []Hit) ([]Hit, error) {
	satisfies, err := w.index.satisfying(ctx, w.c, w.question, hits)
	if err != nil {
		return nil, err
	}
	w.looked += len(hits)
	kept := hits[:0]
	for _, h := range hits {
		if satisfies[h.ID] {
			kept = append(kept, h)
		}
	}
	clear(hits[len(kept):])
	w.passed += len(kept)
	return kept, nil
}

// batch returns how many people to fetch next to find limit that pass. It extrapolates from earlier checks and grows
// at most fourfold.
func (w *walk) batch(limit int) int {
	n := 2 * limit
	switch {
	case w.passed > 0:
		n = limit * w.looked / w.passed * 5 / 4
	case w.looked > 0:
		n = mostChecked
	}
	if w.size > 0 {
		n = min(n, 4*w.size)
	}
	w.size = min(max(n, leastChecked), mostChecked)
	return w.size
}

// all returns the people of a request, up to its limit.
func (w *walk) all(ctx context.Context) ([]Hit, error) {
	if w.question == nil {
		hits, _, err := w.next(ctx, w.req.Limit)
		return hits, err
	}
	if w.req.Loose {
		return w.open(ctx)
	}
	var all []Hit
	for more := true; more && len(all) < w.req.Limit; {
		var hits []Hit
		var err error
		if hits, more, err = w.next(ctx, w.req.Limit-len(all)); err != nil {
			return nil, err
		}
		all = append(all, hits...)
	}
	return all, nil
}

// open returns people who may satisfy the query, unchecked.
func (w *walk) open(ctx context.Context) ([]Hit, error) {
	req := w.req
	req.Query = w.question.asked
	if _, none := req.Query.(query.None); none {
		return nil, ctx.Err()
	}
	hits, err := w.index.ask(ctx, w.c, req)
	for i := range hits {
		hits[i].Maybe = true
	}
	return hits, err
}

// some returns the ids of at most limit people, and stops once checkedForCount people were checked; whole is true if
// these are all.
func (w *walk) some(ctx context.Context, limit int) (ids []int64, whole bool, err error) {
	w.req.NoRecord = true
	for more := true; more; {
		if len(ids) == limit || w.looked >= checkedForCount {
			return ids, false, nil
		}
		var hits []Hit
		if hits, more, err = w.next(ctx, min(limit-len(ids), mostChecked)); err != nil {
			return nil, false, err
		}
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
	}
	return ids, true, nil
}
