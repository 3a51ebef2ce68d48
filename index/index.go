package index

import (
	"cmp"
	"context"
	"iter"
	"math"

	"kith"
	"kith/query"
	"kith/query/indexed"
)

// Search is a search for people.
type Search struct {
	// Stages are conditions over documents (not lowered). A person belongs to the first stage whose condition holds.
	Stages []query.Query
	// SortBy orders the people within a stage; the zero value is the rank.
	SortBy query.Field
	// After is the position to continue from; nil for the start.
	After *Cursor
	// Limit is the most people to return, at least 1.
	Limit int
	// Prefetch lets the caller drop people fetched but not yet yielded; nil for a caller that never waits.
	Prefetch *Prefetch
}

// Cursor is a position in a search: after one person of one stage.
type Cursor struct {
	Stage int   `json:"g"`
	Sort  int64 `json:"r"`
	ID    int64 `json:"i"`
}

// Compare orders positions as a search does: by stage, then by falling sort value, then by id.
func (c Cursor) Compare(o Cursor) int {
	return cmp.Or(cmp.Compare(c.Stage, o.Stage), cmp.Compare(o.Sort, c.Sort), cmp.Compare(c.ID, o.ID))
}

// Found is one person found.
type Found struct {
	Hit
	// Cursor resumes the search right after this person.
	Cursor Cursor
}

// Index is the portable index over one engine. It is safe for concurrent use.
type Index struct {
	searcher Searcher
	check    Check
}

// New returns the index over a driver.
func New(s Searcher) *Index { return &Index{searcher: s} }

// Engine returns the name of the engine.
func (ix *Index) Engine() string { return ix.searcher.Engine() }

// Check returns nil when the engine can answer.
func (ix *Index) Check(ctx context.Context) error { return ix.searcher.Check(ctx) }

// People walks through the stages of a search in order and yields at most s.Limit people. An error comes last, and
// only once. If the caller stops ranging, no further requests are sent.
func (ix *Index) People(ctx context.Context, s Search) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		if err := s.check(); err != nil {
			yield(Found{}, err)
			return
		}
		w := peopleRange{index: ix, search: s, left: s.Limit, prefetch: s.Prefetch, yield: yield}
		if w.prefetch == nil {
			w.prefetch = &Prefetch{}
		}
		first := 0
		if s.After != nil {
			first = s.After.Stage
		}
		for i := first; i < len(s.Stages) && w.left > 0; i++ {
			if !w.stage(ctx, i) {
				return
			}
		}
	}
}

// peopleRange is one range over the people of a search.
type peopleRange struct {
	index    *Index
	search   Search
	left     int
	prefetch *Prefetch
	yield    func(Found, error) bool
}

// stage yields the people of stage i; false ends the range.
func (w *peopleRange) stage(ctx context.Context, i int) bool {
	people := w.index.reader(People, w.search.request(i))
	for more := true; more && w.left > 0; {
		var hits []Hit
		var err error
		if hits, more, err = people.next(ctx, w.prefetch.pace.Next(w.left)); err != nil {
			w.yield(Found{}, err)
			return false
		}
		w.prefetch.fetched(hits)
		var last Hit
		for h, ok := w.prefetch.next(); ok; h, ok = w.prefetch.next() {
			w.left--
			last = h
			if !w.yield(Found{Hit: h, Cursor: Cursor{Stage: i, Sort: h.Sort, ID: h.ID}}, nil) {
				return false
			}
		}
		if w.prefetch.dropped {
			people.continueAfter(last)
			more = true
		}
	}
	return true
}

// request is the driver's request for stage i.
func (s Search) request(i int) FindRequest {
	req := FindRequest{Query: s.condition(i), SortBy: s.SortBy}
	if s.After != nil && s.After.Stage == i {
		req.After = &Position{Sort: s.After.Sort, ID: s.After.ID}
	}
	return req
}

// condition is the condition of stage i, without the people of earlier stages.
func (s Search) condition(i int) query.Query {
	parts := []query.Query{s.Stages[i]}
	for _, earlier := range s.Stages[:i] {
		parts = append(parts, query.Not{Part: earlier})
	}
	return Prepare(query.And{Parts: parts})
}

func (s Search) check() error {
	if s.Limit < 1 {
		return kith.Errorf(kith.Internal, "LIMIT_UNSET", "a search without a limit")
	}
	if s.After != nil && (s.After.Stage < 0 || s.After.Stage >= len(s.Stages)) {
		return kith.Errorf(kith.Malformed, "CURSOR_INVALID", "the cursor points to a stage that this search does not "+
			"have")
	}
	return nil
}

// Count returns how many people satisfy a query as [Prepare] makes it, up to limit; 0 is no limit. more is true if
// there may be others: the limit was reached, or 20,000 people were checked for a query with a timeline.
func (ix *Index) Count(ctx context.Context, q query.Query, limit int) (n int, more bool, err error) {
	if _, none := q.(query.None); none {
		return 0, false, ctx.Err()
	}
	if query.HasTimeline(q) {
		ids, whole, err := ix.reader(People, FindRequest{Query: q}).some(ctx, cmp.Or(limit, math.MaxInt))
		return len(ids), !whole, err
	}
	n, err = ix.searcher.Count(ctx, People, q, limit)
	return n, limit > 0 && n == limit, err
}

// IDs returns the ids of at most so many people who satisfy a query as [Prepare] makes it, highest rank first; all is
// true if there are no more. For a query with a timeline it stops after checking 20,000 people.
func (ix *Index) IDs(ctx context.Context, q query.Query, most int) (ids []int64, all bool, err error) {
	if query.HasTimeline(q) {
		return ix.reader(People, FindRequest{Query: q}).some(ctx, most)
	}
	hits, err := ix.Hits(ctx, FindRequest{Query: q, Limit: most + 1, NoRecord: true})
	return idsOf(hits[:min(len(hits), most)]), len(hits) <= most, err
}

func idsOf(hits []Hit) []int64 { return kith.Each(hits, func(h Hit) int64 { return h.ID }) }

// Filled reports whether the index holds anyone at all.
func (ix *Index) Filled(ctx context.Context) (bool, error) {
	n, err := ix.searcher.Count(ctx, People, query.All{}, 1)
	return n > 0, err
}

// Facets returns the most frequent values of each facet among the people who satisfy a query as [Prepare] makes it.
// It counts at most 10,000 people, the first by rank.
func (ix *Index) Facets(ctx context.Context, q query.Query, facets []indexed.Facet, size int) (FacetValues, error) {
	all := true
	if query.HasTimeline(q) {
		var ids []int64
		var err error
		ids, all, err = ix.IDs(ctx, q, facetedPeople)
		if err != nil {
			return nil, err
		}
		q = query.Simplify(query.IDs{Values: ids})
	}
	counts, err := ix.searcher.Facets(ctx, q, facets, size, facetedPeople)
	for _, values := range counts {
		for i := range values {
			values[i].IsCapped = values[i].IsCapped || !all
		}
	}
	return counts, err
}

// Companies returns the ids of at most limit companies that satisfy q, by rank.
func (ix *Index) Companies(ctx context.Context, q query.Query, limit int) ([]int64, error) {
	hits, err := ix.reader(Companies, FindRequest{Query: Prepare(q), Limit: limit, NoRecord: true}).all(ctx)
	return idsOf(hits), err
}
