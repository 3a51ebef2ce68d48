package pgindex

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"kith/index"
	"kith/query"
)

// Batch implements [index.Searcher], by one statement. Each step of a stage is a common table expression that leaves
// out who was found before, with the limit that is left: Postgres runs none once there are enough.
func (ix *Index) Batch(ctx context.Context, c index.Collection, b index.Batch) (index.BatchAnswer, error) {
	out := index.BatchAnswer{Hits: make([][]index.Hit, len(b.Stages))}
	if len(b.Stages)+len(b.Counts) == 0 {
		return out, ctx.Err()
	}
	stats, err := ix.statistics(ctx, c)
	if err != nil {
		return out, err
	}
	rows, err := ix.query(ctx, newBatching(ix, c, b, stats).statement)
	if err != nil {
		return out, err
	}
	for _, row := range rows {
		if stage := number(row[0]); stage < 0 {
			out.Counts = append(out.Counts, int(number(row[1])))
		} else {
			hit := index.Hit{ID: number(row[1]), Sort: number(row[2]), Record: json.RawMessage(row[3])}
			out.Hits[stage] = append(out.Hits[stage], hit)
		}
	}
	return out, nil
}

// batching writes the statement of a batch.
type batching struct {
	c       index.Collection
	batch   index.Batch
	stats   statistics
	finders []finder
	counted []query.Query
}

func newBatching(ix *Index, c index.Collection, b index.Batch, stats statistics) batching {
	out := batching{c: c, batch: b, stats: stats}
	by := b.SortBy
	if by == "" {
		by = query.Rank
	}
	for _, q := range b.Stages {
		req := index.FindRequest{Query: stats.byShingles(q), SortBy: by, Limit: b.Limit}
		f := newFinder(ix, c, req, stats)
		f.columns = "NULL" // records are fetched of those who are given
		out.finders = append(out.finders, f)
	}
	for _, q := range b.Counts {
		out.counted = append(out.counted, stats.byShingles(q))
	}
	return out
}

func (b batching) statement(l layout) statement {
	w := &writer{layout: l}
	var tables, selects []string
	add := func(stage int, base string, step func(w *writer, f finder) string) string {
		name := "s" + strconv.Itoa(len(tables)+1)
		tables = append(tables, b.table(w, name, base, b.finders[stage], step))
		selects = append(selects, fmt.Sprintf("SELECT %d::bigint AS stage, f.id, f.place, (SELECT p.record FROM %s_%s p "+
			"WHERE p.id = f.id) FROM %s, unnest(ids, places) f(id, place)", stage, b.c, l.version, name))
		return name
	}
	base := "s0"
	for i, f := range b.finders {
		if b.batch.Apart {
			base = "s0"
		}
		for _, step := range f.steps() {
			base = add(i, base, step)
		}
	}
	for _, q := range b.counted {
		selects = append(selects, fmt.Sprintf("SELECT -1::bigint, (%s), 0::bigint, NULL::json", b.count(w, q)))
	}
	if len(selects) == 0 { // nothing can be found
		selects = append(selects, "SELECT WHERE FALSE")
	}
	with := "WITH s0 AS (SELECT '{}'::bigint[] AS seen)"
	return statement{sql: strings.Join(append([]string{with}, tables...), ",\n") + "\n" +
		strings.Join(selects, "\nUNION ALL "), args: w.args}
}

// steps are the ways in which the people of a stage are looked for, one after the other: what one finds comes before
// all that the next finds beyond.
func (f finder) steps() []func(w *writer, f finder) string {
	everyone := func(w *writer, f finder) string { return f.gatherSQL(w, nil) }
	if _, none := f.req.Query.(query.None); none {
		return nil
	}
	if len(f.whole.indexed) == 0 {
		return []func(*writer, finder) string{func(w *writer, f finder) string { return f.walkSQL(w) }}
	}
	if f.worthWalking() {
		return []func(*writer, finder) string{func(w *writer, f finder) string { return f.tryWalkSQL(w) }, everyone}
	}
	if f.req.SortBy == query.Rank && f.first < len(f.stats.tiers) {
		top := f.stats.tiers[f.first]
		return []func(*writer, finder) string{func(w *writer, f finder) string { return f.gatherSQL(w, &top) }, everyone}
	}
	return []func(*writer, finder) string{everyone}
}

// table writes one step: whom it finds who was not found before, and all who were found by then.
func (b batching) table(
	w *writer, name, base string, f finder, step func(w *writer, f finder) string,
) string {
	f.besides = "p.id <> ALL (earlier.seen)"
	f.limited = fmt.Sprintf("%d - cardinality(earlier.seen)", b.batch.Limit)
	sql := ""
	w.apart(func(w *writer) { sql = step(w, f) })
	return fmt.Sprintf("%s AS MATERIALIZED (SELECT earlier.seen || COALESCE(f.ids, '{}') AS seen, f.ids, f.places\n"+
		"FROM %s earlier, LATERAL (SELECT array_agg(id) AS ids, array_agg(place) AS places FROM (%s) found) f)", name, base, sql)
}

// count writes the number of people who satisfy a query, as [Index.Count] counts them.
func (b batching) count(w *writer, q query.Query) string {
	limit := b.batch.CountTo
	whole := b.countWithin(w, q, nil)
	t := b.stats.enough(q, limit)
	if t == nil {
		return whole
	}
	return fmt.Sprintf("SELECT CASE WHEN top.count >= %d THEN top.count ELSE (%s) END FROM (%s) top",
		limit, whole, b.countWithin(w, q, t))
}

func (b batching) countWithin(w *writer, q query.Query, within *tier) string {
	sql := ""
	w.apart(func(w *writer) { sql = b.stats.matching(w, b.c, q, "", within).sql })
	if b.batch.CountTo > 0 {
		sql += " LIMIT " + strconv.Itoa(b.batch.CountTo)
	}
	return "SELECT count(*) FROM (" + sql + ") found"
}

// apart writes with a writer of its own that binds the parameters of w.
func (w *writer) apart(write func(w *writer)) {
	own := &writer{layout: w.layout, args: w.args}
	write(own)
	w.args = own.args
}
