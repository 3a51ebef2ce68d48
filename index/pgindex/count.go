package pgindex

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kith/index"
	"kith/query"
)

// Count implements [index.Searcher]. Where the limit is likely to be reached
// in a tier, it counts there first.
func (ix *Index) Count(ctx context.Context, c index.Collection, q query.Query, limit int) (int, error) {
	stats, err := ix.statistics(ctx, c)
	if err != nil {
		return 0, err
	}
	q = stats.byShingles(q)
	if t := stats.enough(q, limit); t != nil {
		if n, err := ix.count(ctx, c, q, limit, stats, t); err != nil || n >= limit {
			return n, err
		}
	}
	return ix.count(ctx, c, q, limit, stats, nil)
}

// enough is the smallest tier that is likely to have twice as many documents
// that satisfy q; nil where there is none.
func (s statistics) enough(q query.Query, limit int) *tier {
	share := s.likely(q)
	for _, t := range s.tiers {
		if limit > 0 && bound(q) == math.MaxInt && t.size*share > 2*float64(limit) {
			return &t
		}
	}
	return nil
}

func (ix *Index) count(ctx context.Context, c index.Collection, q query.Query, limit int, stats statistics, within *tier) (int, error) {
	rows, err := ix.query(ctx, func(l layout) statement {
		st := stats.matching(c, q, l, "", within)
		if limit > 0 {
			st.sql += " LIMIT " + strconv.Itoa(limit)
		}
		st.sql = "SELECT count(*) FROM (" + st.sql + ") found"
		return st
	})
	if err != nil {
		return 0, err
	}
	return int(number(rows[0][0])), nil
}

// matching selects columns of all documents that satisfy q, of a tier or of
// everyone.
func (s statistics) matching(c index.Collection, q query.Query, l layout, columns string, within *tier) statement {
	w := &writer{layout: l}
	sp, tiered := s.splits(q)
	if within != nil {
		sp = tiered
	}
	w.askOnce(s, sp, within)
	condition := sp.sql(w, s.source)
	if condition == "" {
		sql := fmt.Sprintf("SELECT %s FROM %s_%s p WHERE %s", columns, c, l.version, and(w.decide(q, s.source), within.condition()))
		return statement{sql: sql, args: w.args, scan: !w.asked}
	}
	if sp.exact() {
		return statement{sql: fmt.Sprintf("SELECT %s FROM %s_%s p WHERE %s", columns, c, l.version, and(condition, within.condition())), args: w.args}
	}
	sql := fmt.Sprintf("SELECT %s FROM (SELECT p.* FROM %s_%s p WHERE %s OFFSET 0) p WHERE %s",
		columns, c, l.version, and(condition, within.condition(), w.glance(sp.left(), s.source)), sp.row(w, s.source))
	return statement{sql: sql, args: w.args}
}

// Batch implements [index.Searcher], by a statement for each question: so it stops where enough were found.
func (ix *Index) Batch(ctx context.Context, c index.Collection, b index.Batch) (index.BatchAnswer, error) {
	return b.InTurn(ctx, ix, c)
}

// Facets implements [index.Searcher].
func (ix *Index) Facets(ctx context.Context, q query.Query, facets []index.Facet, size int) (map[index.Facet][]index.FacetValue, error) {
	answer := map[index.Facet][]index.FacetValue{}
	names := make([]string, len(facets))
	for i, f := range facets {
		answer[f], names[i] = []index.FacetValue{}, string(f)
	}
	if len(facets) == 0 {
		return answer, nil
	}
	stats, err := ix.statistics(ctx, index.People)
	if err != nil {
		return nil, err
	}
	q = stats.byShingles(q)
	rows, err := ix.query(ctx, func(l layout) statement {
		return stats.matching(index.People, q, l, "p.facets", nil).facets(names, size)
	})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		facet := index.Facet(row[0])
		answer[facet] = append(answer[facet], index.FacetValue{Value: string(row[1]), Count: int(number(row[2]))})
	}
	return answer, nil
}

// facets counts the values of facets among the documents that a statement selects.
// Each value is taken by its name: to unfold all facets of a document, and to
// remember those of the last ones, took longer than to find it.
func (st statement) facets(names []string, size int) statement {
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = "m.facets ->> " + st.text(name)
	}
	st.sql = fmt.Sprintf(`SELECT facet, value, n FROM (
  SELECT facet, value, count(*) AS n, row_number() OVER (PARTITION BY facet ORDER BY count(*) DESC, value COLLATE "C") AS nth
  FROM (SELECT unnest(%s) AS facet, unnest(ARRAY[%s]) AS value FROM (%s) m) each WHERE value IS NOT NULL GROUP BY facet, value) counted
WHERE nth <= %s ORDER BY facet, nth`, st.texts(names), strings.Join(values, ", "), st.sql, st.number(int64(size)))
	return st
}
