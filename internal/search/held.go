package search

import (
	"encoding/json"
	"iter"

	"kith/index"
	"kith/internal/search/proximity"
)

// held is what a run has looked up and not yielded yet.
type held struct {
	ahead  index.Ahead
	buffer proximity.Buffer
	// waiting are people who are about to be explained, and explanations what
	// there is to say of them.
	waiting      []index.Found
	explanations map[int64]*match
	// listed are the people of a list, and records the records of the first of
	// them.
	listed  []listPerson
	records map[int64]json.RawMessage

	pace index.Pace
	// dropped is true when people were let go since it was last set to false.
	dropped bool
	// lean is true when no record of the list is kept any more.
	lean bool
}

// letGo forgets what can be looked up again.
func (h *held) letGo() {
	h.ahead.Drop()
	h.buffer.Drop()
	if h.pace.Slow(max(len(h.waiting), len(h.records))) {
		h.waiting, h.explanations, h.records, h.dropped = nil, nil, nil, true
	}
	if !h.lean && len(h.listed) > 0 {
		h.lean = true
		for i := range h.listed {
			h.listed[i].record = nil
		}
	}
}

// walked yields the people of a page, those within reach first. One person more
// than the limit is asked for, to know whether there is a next page.
func (r *run) walked() (more bool, err error) {
	r.inside = r.beginsInside()
	var after *index.Cursor
	if r.resume {
		after = &r.at.Cursor
	}
	for {
		rest := r.limit + 1 - r.count
		n := rest
		if r.walk.Explain {
			n = r.pace.Next(rest)
		}
		got, err := r.stretch(after, n)
		switch {
		case err != nil || r.gone:
			return false, err
		case r.dropped: // from the first person who was let go
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

// stretch yields at most n people up to the limit of the page, and tells how
// many there were.
func (r *run) stretch(after *index.Cursor, n int) (got int, err error) {
	r.dropped = false
	room := r.limit - r.count
	var waiting []index.Found
	for found, err := range r.inOrder(after, n) {
		if err != nil {
			return got, err
		}
		if r.inside && !proximity.WithinReach(found.Cursor.Stage) {
			if err := r.explained(waiting); err != nil || r.gone || r.dropped {
				return got, err
			}
			waiting = nil
			r.leaveNetwork()
		}
		if got++; got > room {
			break // there is a next page
		}
		if r.walk.Explain {
			waiting = append(waiting, found) // explanations look records up together
		} else if err := r.found(found, nil); err != nil || r.gone {
			return got, err
		}
	}
	return got, r.explained(waiting)
}

// inOrder yields at most n people behind a place; nil is the start.
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
	key, _ := r.identity() // a search without a digest is not remembered well, and found all the same
	return r.svc.near.People(r.ctx, proximity.Query{
		All: r.asked.query, Exact: r.asked.exact, SortBy: r.asked.sortBy,
		Circle: r.circle, CircleOnly: r.walk.Network != nil, Key: string(key), Caller: r.binding,
	}, after, n, &r.buffer)
}
