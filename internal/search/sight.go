package search

import (
	"context"
	"fmt"
	"strings"

	"kith/query"
)

// Sight tells whose records callers may see.
type Sight interface {
	// Visible returns the owners whose records the caller of ctx may see beside those
	// that belong to everyone. Where there are no records of other owners, all is true.
	Visible(ctx context.Context) (owners []string, all bool, err error)
}

// look finds out what the caller may see. It is asked for each page anew, so that what
// somebody stops sharing is seen no more.
func (j *job) look(ctx context.Context) error {
	j.visible, j.sight = query.All{}, "all"
	if j.svc.cfg.Sight == nil {
		return nil
	}
	owners, all, err := j.svc.cfg.Sight.Visible(ctx)
	if err != nil {
		return fmt.Errorf("what the caller may see: %w", err)
	}
	if !all {
		j.visible, j.sight = visibleOf(owners), strings.Join(owners, ",")
	}
	return nil
}

// visibleOf holds of records that belong to everyone, or to one of some owners.
func visibleOf(owners []string) query.Query {
	everyones := query.Not{Part: query.Exists{Field: query.Owner}}
	if len(owners) == 0 {
		return everyones
	}
	return query.Or{Parts: []query.Query{everyones, query.Terms{Field: query.Owner, Values: owners}}}
}

// seen is a condition as far as the caller may see who satisfies it; nil stays nil.
// Everything that the engine is asked on behalf of a caller goes through it.
func (j *job) seen(q query.Query) query.Query {
	if q == nil {
		return nil
	}
	if _, all := j.visible.(query.All); all {
		return q
	}
	return query.Simplify(query.And{Parts: []query.Query{q, j.visible}})
}

func (j *job) allSeen(stages []query.Query) []query.Query {
	out := make([]query.Query, len(stages))
	for i, q := range stages {
		out[i] = j.seen(q)
	}
	return out
}
