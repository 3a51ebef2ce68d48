package index

import (
	"context"

	"kith/query"
)

// reader reads the people of a query in order, one part at a time.
type reader struct {
	index *Index
	c     Collection
	// req is the request for the next part, without its limit.
	req FindRequest
	// question is nil where the engine answers the whole query.
	question *question
	// looked counts checked people, passed those who satisfied the query; size is the last batch.
	looked, passed, size int
}

func (ix *Index) reader(c Collection, req FindRequest) *reader {
	return &reader{index: ix, c: c, req: req, question: newQuestion(req.Query)}
}

// next returns the next people, at most limit; more is true if others may follow. With a question it checks one
// batch, so it may return fewer people, or none.
func (r *reader) next(ctx context.Context, limit int) (hits []Hit, more bool, err error) {
	req := r.req
	req.Limit = limit
	if r.question != nil {
		req.Query, req.Limit = r.question.asked, r.batch(limit)
	}
	if _, none := req.Query.(query.None); none {
		return nil, false, ctx.Err()
	}
	if hits, err = r.index.searcher.Find(ctx, r.c, req); err != nil {
		return nil, false, err
	}
	more = len(hits) == req.Limit
	if len(hits) > 0 {
		r.continueAfter(hits[len(hits)-1])
	}
	if r.question == nil {
		return hits, more, nil
	}
	r.looked += len(hits)
	if hits, err = r.index.passing(ctx, r.c, r.question, hits); err != nil {
		return nil, false, err
	}
	r.passed += len(hits)
	if len(hits) > limit {
		hits, more = hits[:limit], true
		r.continueAfter(hits[limit-1])
	}
	return hits, more, nil
}

// continueAfter continues after a person.
func (r *reader) continueAfter(h Hit) { r.req.After = &Position{Sort: h.Sort, ID: h.ID} }

// batch returns how many people to fetch next to find limit that pass. It extrapolates from earlier checks and grows
// at most fourfold.
func (r *reader) batch(limit int) int {
	n := 2 * limit
	switch {
	case r.passed > 0:
		n = limit * r.looked / r.passed * 5 / 4
	case r.looked > 0:
		n = mostChecked
	}
	if r.size > 0 {
		n = min(n, 4*r.size)
	}
	r.size = min(max(n, leastChecked), mostChecked)
	return r.size
}

// all returns the people of a request, up to its limit.
func (r *reader) all(ctx context.Context) ([]Hit, error) {
	if r.question == nil {
		hits, _, err := r.next(ctx, r.req.Limit)
		return hits, err
	}
	if r.req.Loose {
		return r.open(ctx)
	}
	var all []Hit
	for more := true; more && len(all) < r.req.Limit; {
		var hits []Hit
		var err error
		if hits, more, err = r.next(ctx, r.req.Limit-len(all)); err != nil {
			return nil, err
		}
		all = append(all, hits...)
	}
	return all, nil
}

// open returns people who may satisfy the query, unchecked.
func (r *reader) open(ctx context.Context) ([]Hit, error) {
	r.req.Query, r.question = r.question.asked, nil
	hits, err := r.all(ctx)
	for i := range hits {
		hits[i].Maybe = true
	}
	return hits, err
}

// some returns the ids of at most limit people, and stops once checkedForCount people were checked; whole is true if
// these are all.
func (r *reader) some(ctx context.Context, limit int) (ids []int64, whole bool, err error) {
	r.req.NoRecord = true
	for more := true; more; {
		if len(ids) == limit || r.looked >= checkedForCount {
			return ids, false, nil
		}
		var hits []Hit
		if hits, more, err = r.next(ctx, min(limit-len(ids), mostChecked)); err != nil {
			return nil, false, err
		}
		ids = append(ids, idsOf(hits)...)
	}
	return ids, true, nil
}
