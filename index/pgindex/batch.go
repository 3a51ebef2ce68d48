package pgindex

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"kith"
	"kith/index"
	"kith/query"
)

// Batch implements [index.Searcher] with one statement: the function search_in_stages runs a statement for each
// question, and stops once it has enough.
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

// batching builds the statement of a batch.
type batching struct {
	c       index.Collection
	batch   index.Batch
	stats   statistics
	finders []*finder
	counted []query.Query
}

func newBatching(ix *Index, c index.Collection, b index.Batch, stats statistics) batching {
	out := batching{c: c, batch: b, stats: stats}
	by := cmp.Or(b.SortBy, query.Rank)
	for _, q := range b.Stages {
		f := newFinder(ix, c, index.FindRequest{Query: byShingles(q), SortBy: by, Limit: b.Limit}, stats)
		f.req.NoRecord = true // the outer statement fetches the records of returned people
		f.besides, f.limited = "p.id <> ALL ($1)", "$2"
		out.finders = append(out.finders, f)
	}
	for _, q := range b.Counts {
		out.counted = append(out.counted, byShingles(q))
	}
	return out
}

// stageArgs are the arguments of search_in_stages: parallel arrays with one element for each statement.
type stageArgs struct {
	statements, stages, within, unless []string
}

// noStage is the stage of a count.
const noStage = "NULL"

func (a *stageArgs) add(sql, stage string, within, unless []int) {
	a.statements, a.stages = append(a.statements, sql), append(a.stages, stage)
	a.within, a.unless = append(a.within, indexArray(within)), append(a.unless, indexArray(unless))
}

// indexArray converts indexes of counts to a Postgres array; they are 1-based there.
func indexArray(counts []int) string {
	return "{" + strings.Join(kith.Each(counts, func(at int) string { return strconv.Itoa(at + 1) }), ",") + "}"
}

func (b batching) statement(l layout) statement {
	var all stageArgs
	for i, q := range b.counted {
		var unless []int
		if b.batch.CountTo > 0 {
			unless = at(b.batch.CountsUnless, i)
		}
		all.add(b.count(l, q), noStage, at(b.batch.CountsWithin, i), unless)
	}
	for i, f := range b.finders {
		for _, step := range f.steps() {
			w := &writer{layout: l, args: args{literal: true}, columnsChecked: true}
			all.add("SELECT id, place FROM ("+step(w)+") found", strconv.Itoa(i), at(b.batch.Within, i), nil)
		}
	}
	w := &writer{layout: l}
	sql := fmt.Sprintf(`SELECT f.stage, f.id, f.place,
  CASE WHEN f.stage >= 0 THEN (SELECT p.record FROM %s_%s p WHERE p.id = f.id) END
FROM search_in_stages(%s, '{%s}', %s, %s, %d, %d, %d, %t) f`, b.c, l.version, w.texts(all.statements),
		strings.Join(all.stages, ","), w.texts(all.within), w.texts(all.unless),
		b.batch.Least, b.batch.Limit, b.batch.CountTo, b.batch.Apart)
	return statement{sql: sql, args: w.args}
}

func at(lists [][]int, i int) []int {
	if i < len(lists) {
		return lists[i]
	}
	return nil
}

// steps returns the searches for the people of a stage, to run in order: results of one precede all additional
// results of the next.
func (f *finder) steps() []func(w *writer) string {
	everyone := func(w *writer) string { return f.gather(w, nil) }
	if _, none := f.req.Query.(query.None); none {
		return nil
	}
	if len(f.whole.indexed) == 0 {
		return []func(*writer) string{f.walk}
	}
	if f.prefersWalk() {
		return []func(*writer) string{f.tryWalk, everyone}
	}
	if f.req.SortBy == query.Rank && f.first < len(f.stats.tiers) {
		top := f.stats.tiers[f.first]
		return []func(*writer) string{func(w *writer) string { return f.gather(w, &top) }, everyone}
	}
	return []func(*writer) string{everyone}
}

// count writes the number of people who satisfy a query, like [Index.Count].
func (b batching) count(l layout, q query.Query) string {
	limit := b.batch.CountTo
	whole := b.countWithin(l, q, nil)
	t := b.stats.chooseTier(q, limit)
	if t == nil {
		return whole
	}
	return fmt.Sprintf("SELECT CASE WHEN top.count >= %d THEN top.count ELSE (%s) END FROM (%s) top",
		limit, whole, b.countWithin(l, q, t))
}

func (b batching) countWithin(l layout, q query.Query, within *tier) string {
	w := &writer{layout: l, args: args{literal: true}, columnsChecked: true}
	return b.stats.counting(w, b.c, q, b.batch.CountTo, within).sql
}
