package search

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/query"
)

// Sight decides whose records a viewer may see.
type Sight interface {
	// Visible returns the owners whose records a viewer may see; "" is everyone. all is true if no records have other
	// owners. self is the viewer's own person, 0 if unknown.
	Visible(ctx context.Context, v kith.Viewer) (owners []string, all bool, self int64, err error)
}

// Everything is the [Sight] of a dataset whose records all belong to everyone.
type Everything struct{}

// Visible implements [Sight]: every viewer sees everything.
func (Everything) Visible(context.Context, kith.Viewer) (owners []string, all bool, self int64, err error) {
	return nil, true, 0, nil
}

// sight is what a viewer may see; the zero value is nothing.
type sight struct {
	// visible matches the visible records, results those of them that can be results: all but the caller's own person.
	visible, results query.Query
	// sightKey identifies results in cache keys.
	sightKey string
}

// readSight determines what a viewer may see: nothing if s is nil. It runs for each page, so that records no longer
// shared disappear at once.
func readSight(ctx context.Context, s Sight, v kith.Viewer) (sight, error) {
	if s == nil {
		return sight{}, nil
	}
	owners, everything, self, err := s.Visible(ctx, v)
	if err != nil {
		return sight{}, fmt.Errorf("visible records: %w", err)
	}
	seen := sight{visible: query.All{}, sightKey: "all"}
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

// visibleTo matches records that belong to one of the owners; "" is everyone.
func visibleTo(owners []string) query.Query {
	named := slices.DeleteFunc(slices.Clone(owners), func(owner string) bool { return owner == "" })
	var parts []query.Query
	if len(named) < len(owners) {
		parts = append(parts, query.Not{Part: query.Exists{Field: query.Owner}})
	}
	if len(named) > 0 {
		parts = append(parts, query.Terms{Field: query.Owner, Values: named})
	}
	return query.Simplify(query.Or{Parts: parts})
}

// restrict limits a condition to the people who can be results; nil stays nil. Every query for results goes through it.
func (s sight) restrict(q query.Query) query.Query { return narrow(q, s.results) }

// seen limits the meaning of a search to the people who can be results.
func (s sight) seen(u understood) understood {
	u.query, u.exact = s.restrict(u.query), s.restrict(u.exact)
	return u
}

// allSeen limits the stages of a step to the visible records. A step may find the caller: my colleagues are found by my
// record.
func (s sight) allSeen(stages []query.Query) []query.Query {
	return kith.Each(stages, func(q query.Query) query.Query { return narrow(q, s.visible) })
}

func narrow(q, to query.Query) query.Query {
	if q == nil {
		return nil
	}
	if to == nil {
		return query.None{}
	}
	if _, all := to.(query.All); all {
		return q
	}
	return query.Simplify(query.And{Parts: []query.Query{q, to}})
}
