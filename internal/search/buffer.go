package search

import (
	"encoding/json"

	"kith/index"
	"kith/internal/search/proximity"
)

// buffered holds what a run has looked up but not yielded yet.
type buffered struct {
	prefetch index.Prefetch
	near     proximity.Buffer
	// waiting are people about to be explained; explanations are their matches.
	waiting      []index.Found
	explanations map[int64]*match
	// listed are the people of a list; records are the records of the first of them.
	listed  []listPerson
	records map[int64]json.RawMessage
	// nearest are the near misses.
	nearest []closestPerson

	pace index.Pace
	// dropped is true if people were dropped since it was last set to false.
	dropped bool
	// lean is true once the records of the list have been dropped.
	lean bool
}

// dropAll drops everything that can be looked up again.
func (b *buffered) dropAll() {
	b.prefetch.Drop()
	b.near.Drop()
	if b.pace.Slow(max(len(b.waiting), len(b.records))) {
		b.waiting, b.explanations, b.records, b.dropped = nil, nil, nil, true
	}
	for i := range b.nearest {
		b.nearest[i].Record = nil
	}
	if !b.lean && len(b.listed) > 0 {
		b.lean = true
		for i := range b.listed {
			b.listed[i].record = nil
		}
	}
}
