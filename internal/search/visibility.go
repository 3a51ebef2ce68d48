package search

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"kith/query"
)

// Sight decides whose records a caller may see.
type Sight interface {
	// Visible returns the owners whose records the caller of ctx may see in addition to those that belong to everyone. all
	// is true if no records have other owners. self is the caller's own person, 0 if unknown.
	Visible(ctx context.Context) (owners []string, all bool, self int64, err error)
}

// sight is what a caller may see.
type sight struct {
	// visible matches the visible records, results those of them that can be results: all but the caller's own person.
	visible, results query.Query
	// sightKey identifies results in cache keys.
	sightKey string
}

// readSight determines what the caller of ctx may see: everything if s is nil. It runs for each page, so that records
// no longer shared disappear at once.
func readSight(ctx context.Context, s Sight) (sight, error) {
	all := sight{visible: query.All{}, results: query.All{}, sightKey: "all"}
	if s == nil {
		return all, nil
	}
	owners, everything, self, err := s.Visible(ctx)
	if err != nil {
		return all, fmt.Errorf("visible records: %w", err)
	}
	seen := all
	if !everything {
		seen.visible, seen.sightKey = visibleTo(owners), strings.Join(owners, ",")
	}
	seen.results = seen.visible
	if self != 0 {
		others := query.Not{Part: query.IDs{Values: []int64{self}}}
		seen.results = query.Simplify(query.And{Parts: []query.Query{seen.visible, others}})
		seen.sightKey += " without " + strconv.FormatInt(self, 10)
	}
	return seen, nil
}

// visibleTo matches records that belong to everyone or to one of the owners.
func visibleTo(owners []string) query.Query {
	everyones := query.Not{Part: query.Exists{Field: query.Owner}}
	if len(owners) == 0 {
		return everyones
	}
	return query.Or{Parts: []query.Query{everyones, query.Terms{Field: query.Owner, Values: owners}}}
}

// restrict limits a condition to the people who can be results; nil stays nil. Every query for results goes through it.
func (s sight) restrict(q query.Query) query.Query { return narrow(q, s.results) }

// allSeen limits the stages of a step to the visible records. A step may find the caller: my colleagues are found by my
// record.
func (s sight) allSeen(stages []query.Query) []query.Query {
	out := make([]query.Query, len(stages))
	for i, q := range stages {
		out[i] = narrow(q, s.visible)
	}
	return out
}

func narrow(q, to query.Query) query.Query {
	if q == nil {
		return nil
	}
	if _, all := to.(query.All); all {
		return q
	}
	return query.Simplify(query.And{Parts: []query.Query{q, to}})
}
