package pgindex

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"kith/index"
	"kith/query"
)

// Count implements [index.Searcher]. If a tier is likely to reach the limit, it counts there first.
func (ix *Index) Count(ctx context.Context, c index.Collection, q query.Query, limit int) (int, error) {
	stats, err := ix.statistics(ctx, c)
	if err != nil {
		return 0, err
	}
	q = byShingles(q)
	if t := stats.chooseTier(q, limit); t != nil {
		if n, err := ix.count(ctx, c, q, limit, stats, t); err != nil || n >= limit {
			return n, err
		}
	}
	return ix.count(ctx, c, q, limit, stats, nil)
}

// chooseTier returns the smallest tier that is likely to have at least twice limit matching documents; nil if there is
// none.
func (s statistics) chooseTier(q query.Query, limit int) *tier {
	share := s.estimate(q)
	for _, t := range s.tiers {
		if limit > 0 && upperBound(q) == math.MaxInt && t.size*share > 2*float64(limit) {
			return &t
		}
	}
	return nil
}

func (ix *Index) count(ctx context.Context, c index.Collection, q query.Query, limit int, stats statistics,
	within *tier,
) (int, error) {
	rows, err := ix.query(ctx, func(l layout) statement {
		return stats.counting(&writer{layout: l}, c, q, limit, within)
	})
	if err != nil {
		return 0, err
	}
	return int(number(rows[0][0])), nil
}

// counting counts the documents that satisfy q, in a tier or in total, up to limit; 0 is no limit.
func (s statistics) counting(w *writer, c index.Collection, q query.Query, limit int, within *tier) statement {
	st := s.matching(w, c, q, within)
	if limit > 0 {
		st.sql += " LIMIT " + strconv.Itoa(limit)
	}
	st.sql = "SELECT count(*) FROM (" + st.sql + ") found"
	return st
}

// matching selects all documents that satisfy q, in a tier or in total.
func (s statistics) matching(w *writer, c index.Collection, q query.Query, within *tier) statement {
	l := w.layout
	sp, tiered := s.splits(q)
	if within != nil {
		sp = tiered
	}
	w.askOnce(s, sp, within)
	condition := sp.sql(w, s.source)
	if condition == "" {
		sql := fmt.Sprintf("SELECT FROM %s_%s p WHERE %s", c, l.version,
			and(w.decide(q, s.source), within.ranked()))
		return statement{sql: sql, args: w.args, scan: !w.asked}
	}
	if sp.exact() {
		return statement{sql: fmt.Sprintf("SELECT FROM %s_%s p WHERE %s", c, l.version,
			and(condition, within.condition())), args: w.args}
	}
	sql := fmt.Sprintf("SELECT FROM (SELECT p.* FROM %s_%s p WHERE %s OFFSET 0) p WHERE %s",
		c, l.version, and(condition, within.condition(), w.columnCheck(sp.left(), s.source)), sp.row(w, s.source))
	return statement{sql: sql, args: w.args}
}
