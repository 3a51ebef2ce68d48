package search

import (
	"context"
	"iter"

	"kith/index"
	"kith/internal/search/proximity"
	"kith/query"
)

// page yields the people of a page, those within reach first. It asks for one person more than the limit to learn
// whether there is a next page.
func (r *execution) page(ctx context.Context) (more bool, err error) {
	r.inside = r.beginsInside()
	var after *index.Cursor
	if r.resume {
		after = &r.at.Cursor
	}
	for {
		rest := r.limit + 1 - r.count
		n := rest
		if r.explains() {
			n = r.pace.Next(rest)
		}
		got, err := r.batch(ctx, after, n)
		switch {
		case err != nil || r.gone:
			return false, err
		case r.dropped: // resume at the first dropped person
		case got < n:
			r.leaveNetwork()
			return false, nil
		case n == rest:
			return true, nil
		}
		at := r.after
		after = &at
	}
}

// batch yields at most n people, up to the limit of the page, and returns how many there were.
func (r *execution) batch(ctx context.Context, after *index.Cursor, n int) (got int, err error) {
	r.dropped = false
	rest := r.limit - r.count
	var waiting []index.Found
	for found, err := range r.inOrder(ctx, after, n) {
		if err != nil {
			return got, err
		}
		if r.inside && !r.withinReach(found.Cursor) {
			if err := r.yieldExplained(ctx, waiting); err != nil || r.gone || r.dropped {
				return got, err
			}
			waiting = nil
			r.leaveNetwork()
		}
		if got++; got > rest {
			break // there is a next page
		}
		if r.explains() {
			waiting = append(waiting, found) // explanations fetch their records in one request
		} else if err := r.yieldFound(found, nil); err != nil || r.gone {
			return got, err
		}
	}
	return got, r.yieldExplained(ctx, waiting)
}

// inOrder yields at most n people after a position; nil is the start.
func (r *execution) inOrder(ctx context.Context, after *index.Cursor, n int) iter.Seq2[index.Found, error] {
	if r.circle != nil {
		return r.nearFirst(ctx, after, n)
	}
	return r.svc.cfg.Index.People(ctx, index.Search{
		Stages: r.stages, SortBy: r.asked.sortBy, After: after, Limit: n, Prefetch: &r.prefetch,
	})
}

// nearFirst is inOrder with the people within reach first.
func (r *execution) nearFirst(ctx context.Context, after *index.Cursor, n int) iter.Seq2[index.Found, error] {
	key, _ := r.identity() // without a digest the search still works, but is cached badly
	var first query.Query
	if len(r.stages) > 1 {
		first = r.stages[0]
	}
	return r.svc.near.People(ctx, proximity.Query{
		All: r.asked.query, Exact: first, SortBy: r.asked.sortBy,
		Circle: r.circle, CircleOnly: r.isNarrowed(), Epoch: r.background.epoch, Key: string(key) + r.sightKey,
		Caller: r.binding,
	}, after, n, &r.buffered.near)
}
