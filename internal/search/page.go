package search

import (
	"iter"

	"kith/index"
	"kith/internal/search/proximity"
	"kith/query"
)

// page yields the people of a page, those within reach first. It asks for one person more than the limit to learn
// whether there is a next page.
func (r *run) page() (more bool, err error) {
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
		got, err := r.batch(after, n)
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
		at := r.behind
		after = &at
	}
}

// batch yields at most n people, up to the limit of the page, and returns how many there were.
func (r *run) batch(after *index.Cursor, n int) (got int, err error) {
	r.dropped = false
	room := r.limit - r.count
	var waiting []index.Found
	for found, err := range r.inOrder(after, n) {
		if err != nil {
			return got, err
		}
		if r.inside && !r.withinReach(found.Cursor) {
			if err := r.yieldExplained(waiting); err != nil || r.gone || r.dropped {
				return got, err
			}
			waiting = nil
			r.leaveNetwork()
		}
		if got++; got > room {
			break // there is a next page
		}
		if r.explains() {
			waiting = append(waiting, found) // explanations fetch their records in one request
		} else if err := r.yieldFound(found, nil); err != nil || r.gone {
			return got, err
		}
	}
	return got, r.yieldExplained(waiting)
}

// inOrder yields at most n people after a position; nil is the start.
func (r *run) inOrder(after *index.Cursor, n int) iter.Seq2[index.Found, error] {
	if r.circle != nil {
		return r.nearFirst(after, n)
	}
	return r.svc.cfg.Index.People(r.ctx, index.Search{
		Stages: r.stages, SortBy: r.asked.sortBy, After: after, Limit: n, Ahead: &r.ahead,
	})
}

// nearFirst is inOrder with the people within reach first.
func (r *run) nearFirst(after *index.Cursor, n int) iter.Seq2[index.Found, error] {
	key, _ := r.identity() // without a digest the search still works, but is cached badly
	var first query.Query
	if len(r.stages) > 1 {
		first = r.stages[0]
	}
	return r.svc.near.People(r.ctx, proximity.Query{
		All: r.asked.query, Exact: first, SortBy: r.asked.sortBy,
		Circle: r.circle, CircleOnly: r.narrowed(), Epoch: r.background.epoch, Key: string(key) + r.sight, Caller: r.binding,
	}, after, n, &r.buffered.near)
}
