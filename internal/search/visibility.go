package search

import (
	"context"
	"fmt"
	"strings"

	"kith/query"
)

// Sight decides whose records a caller may see.
type Sight interface {
	// Visible returns the owners whose records the caller of ctx may see in addition to those that belong to everyone. all
	// is true if no records have other owners.
	Visible(ctx context.Context) (owners []string, all bool, err error)
}

// sight is what a caller may see.
type sight struct {
	// visible matches the visible records, and sightKey identifies that set in cache keys.
	visible  query.Query
	sightKey string
}

// readSight determines what the caller of ctx may see: everything if s is nil. It runs for each page, so that records
// no longer shared disappear at once.
func readSight(ctx context.Context, s Sight) (sight, error) {
	all := sight{visible: query.All{}, sightKey: "all"}
	if s == nil {
		return all, nil
	}
	owners, everything, err := s.Visible(ctx)
	if err != nil {
		return all, fmt.Errorf("visible records: %w", err)
	}
	if everything {
		return all, nil
	}
	return sight{visible: visibleTo(owners), sightKey: strings.Join(owners, ",")}, nil
}

// visibleTo matches records that belong to everyone or to one of the owners.
func visibleTo(owners []string) query.Query {
	everyones := query.Not{Part: query.Exists{Field: query.Owner}}
	if len(owners) == 0 {
		return everyones
	}
	return query.Or{Parts: []query.Query{everyones, query.Terms{Field: query.Owner, Values: owners}}}
}

// restrict limits a condition to the records that the caller may see; nil stays nil. Every query on behalf of a
// caller goes through it.
func (s sight) restrict(q query.Query) query.Query {
	if q == nil {
		return nil
	}
	if _, all := s.visible.(query.All); all {
		return q
	}
	return query.Simplify(query.And{Parts: []query.Query{q, s.visible}})
}

func (s sight) allSeen(stages []query.Query) []query.Query {
	out := make([]query.Query, len(stages))
	for i, q := range stages {
		out[i] = s.restrict(q)
	}
	return out
}
