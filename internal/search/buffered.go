package search

import (
	"encoding/json"

	"kith/index"
	"kith/internal/search/proximity"
)

// buffered is what a run has looked up and not yielded yet.
type buffered struct {
	ahead index.Ahead
	near  proximity.Buffer
	// waiting are people who are about to be explained, and explanations what
	// there is to say of them.
	waiting      []index.Found
	explanations map[int64]*match
	// listed are the people of a list, and records the records of the first of
	// them.
	listed  []listPerson
	records map[int64]json.RawMessage
	// nearest are people who come close.
	nearest []closestPerson

	pace index.Pace
	// dropped is true when people were let go since it was last set to false.
	dropped bool
	// lean is true when no record of the list is kept any more.
	lean bool
}

// dropAll forgets what can be looked up again.
func (b *buffered) dropAll() {
	b.ahead.Drop()
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
