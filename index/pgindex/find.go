package pgindex

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"kith/index"
	"kith/query"
)

// limits say when a search runs in which way.
type limits struct {
	// walk is how many documents a walk by rank looks at before it gives up
	// and the documents that indexes give are sorted after all.
	walk int
	// eager has every walk tried that may be.
	eager bool
	// tiers are the sizes that tiers are made of.
	tiers []int
	// refresh is how many documents may be written before Refresh gathers
	// statistics anew.
	refresh int64
}

func defaultLimits() limits { return limits{walk: 5000, tiers: tierSizes(), refresh: refreshAfter} }

// Find implements [index.Searcher].
func (ix *Index) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	if req.SortBy == "" {
		req.SortBy = query.Rank
	}
	stats, err := ix.statistics(ctx, c)
	if err != nil {
		return nil, err
	}
	req.Query = stats.byShingles(req.Query)
	f := newFinder(ix, c, req, stats)
	if !req.Loose {
		return f.find(ctx)
	}
	hits, err := f.run(ctx, f.passing)
	for i := range hits {
		hits[i].Maybe = !f.whole.exact()
	}
	return hits, err
}

// find finds the first documents of the order.
func (f *finder) find(ctx context.Context) ([]index.Hit, error) {
	if len(f.whole.indexed) == 0 {
		return f.run(ctx, f.walk)
	}
	if hits, ok, err := f.walkFirst(ctx); ok || err != nil {
		return hits, err
	}
	return f.byTiers(ctx)
}

// finder builds the statements of one search step.
type finder struct {
	ix    *Index
	c     index.Collection
	req   index.FindRequest
	stats statistics
	// key stands for the search, wherever in it a page begins.
	key key
	// whole is how everyone is searched, and tiered how a tier is.
	whole, tiered split
	// share is which part of the documents is likely to satisfy the query, and
	// bound how many do so at most, as far as that is known.
	share float64
	bound int
	// first is the smallest tier that is likely to have enough documents;
	// len(stats.tiers) is everyone.
	first int
	// columns are what is taken of a document in place of its record; empty for that.
	columns string
	// walkLimit is how many documents a walk looks at before it gives up.
	walkLimit int
	// besides is a further condition of the documents in SQL, and limited a limit in place of the request's; empty for
	// none.
	besides, limited string
}

func newFinder(ix *Index, c index.Collection, req index.FindRequest, stats statistics) *finder {
	f := &finder{ix: ix, c: c, req: req, stats: stats, walkLimit: ix.limits.walk}
	f.whole, f.tiered = stats.splits(req.Query)
	if len(f.whole.indexed) == 0 {
		return f
	}
	f.share, f.bound = stats.likely(req.Query), bound(req.Query)
	f.key = ix.costs.keyOf(req.Query, string(c), string(req.SortBy), strconv.Itoa(req.Limit))
	f.first = f.firstTier()
	return f
}

// atMost is a share that is no more than the bound allows.
func (f *finder) atMost(share float64) float64 {
	if f.bound == math.MaxInt {
		return share
	}
	return min(share, float64(f.bound)/max(1, f.stats.rows))
}

// walkFirst tries a walk by rank where it is likely to be quicker than sorting
// what indexes give; ok is false where it was not tried or gave up.
func (f *finder) walkFirst(ctx context.Context) (hits []index.Hit, ok bool, err error) {
	if !f.worthWalking() {
		return nil, false, nil
	}
	known := f.key.walking()
	if f.ix.costs.has(known) {
		return nil, false, nil
	}
	hits, err = f.run(ctx, f.tryWalk)
	if err != nil || len(hits) == f.req.Limit {
		return hits, true, err
	}
	f.ix.costs.put(known, 0)
	return nil, false, nil
}

// worthWalking reports whether a walk by rank is likely to be quicker than sorting what indexes give, even if terms
// that are in no statistics are rare: a walk in vain decides walkLimit documents.
func (f *finder) worthWalking() bool {
	stats := f.stats
	stats.rareWords = true
	needed := float64(f.req.Limit) / max(stats.likely(f.req.Query), math.SmallestNonzeroFloat64)
	gathered := f.stats.rows * f.atMost(f.whole.share)
	if f.req.SortBy == query.Rank && f.first < len(f.stats.tiers) {
		gathered = f.stats.tiers[f.first].size * f.tiered.share
	}
	worth := f.stats.rows > 0 && needed*3 < float64(f.walkLimit) && needed*f.whole.costOfRow() < gathered*costFetch
	return worth || f.ix.limits.eager
}

func (f *finder) firstTier() int {
	share := f.atMost(f.share)
	for i, t := range f.stats.tiers {
		if !f.beyond(t) && t.size*share > 1.5*float64(f.req.Limit) {
			return i
		}
	}
	return len(f.stats.tiers)
}

// beyond reports whether the search goes on behind the whole of a tier.
func (f *finder) beyond(t tier) bool { return f.req.After != nil && f.req.After.Sort < t.least }

// byTiers looks in one tier after the other, from the first that is likely to
// have enough, and then among everyone. What a tier gives comes before all
// that the next has beyond it.
func (f *finder) byTiers(ctx context.Context) ([]index.Hit, error) {
	all := len(f.stats.tiers)
	if f.req.SortBy != query.Rank {
		return f.run(ctx, func(l layout) statement { return f.gather(l, nil) })
	}
	from := f.first
	if last, ok := f.ix.costs.get(f.key); ok {
		from = max(from, last)
	}
	if f.ix.limits.eager {
		from = 0
	}
	var hits []index.Hit
	limit := f.req.Limit
	for i := min(from, all); i < all; i++ {
		t := f.stats.tiers[i]
		if f.beyond(t) {
			continue
		}
		more, err := f.run(ctx, func(l layout) statement { return f.gather(l, &t) })
		if hits = append(hits, more...); err != nil || len(hits) == limit {
			return hits, err
		}
		f.ix.costs.put(f.key, i+1)
		f.req.Limit = limit - len(hits)
		f.req.After = &index.Position{Sort: t.least, ID: math.MaxInt64}
	}
	more, err := f.run(ctx, func(l layout) statement { return f.gather(l, nil) })
	return append(hits, more...), err
}

// walk goes through the documents in order and decides each by its row, until
// there are enough.
func (f *finder) walk(l layout) statement {
	w := &writer{layout: l}
	return statement{sql: f.walkSQL(w), args: w.args}
}

func (f *finder) walkSQL(w *writer) string {
	by := order(f.req.SortBy)
	return fmt.Sprintf("SELECT p.id, ~(%s) AS place, %s FROM %s_%s p WHERE %s AND %s ORDER BY %s, p.id LIMIT %s",
		by, f.record(), f.c, w.layout.version, and(w.after(by, f.req.After), f.besides),
		w.decide(f.req.Query, f.stats.source), by, f.limit())
}

// tryWalk walks through walkLimit documents and no further.
func (f *finder) tryWalk(l layout) statement {
	w := &writer{layout: l}
	return statement{sql: f.tryWalkSQL(w), args: w.args}
}

func (f *finder) tryWalkSQL(w *writer) string {
	by := order(f.req.SortBy)
	first := fmt.Sprintf("SELECT p.*, %s AS place FROM %s_%s p WHERE %s ORDER BY place, p.id LIMIT %d",
		by, f.c, w.layout.version, and(w.after(by, f.req.After), f.besides), f.walkLimit)
	return fmt.Sprintf("SELECT p.id, ~p.place AS place, %s FROM (%s) p WHERE %s ORDER BY p.place, p.id LIMIT %s",
		f.record(), first, w.decide(f.req.Query, f.stats.source), f.limit())
}

// gather takes all documents that indexes give, of a tier or of everyone,
// sorts them, and decides the rest of the query row by row until there are
// enough. Adding 0 and IS TRUE keep Postgres from using the index that has
// this order.
func (f *finder) gather(l layout, within *tier) statement {
	w := &writer{layout: l}
	return statement{sql: f.gatherSQL(w, within), args: w.args}
}

func (f *finder) gatherSQL(w *writer, within *tier) string {
	by, s := order(f.req.SortBy), f.stats.source
	sp := f.whole
	if within != nil {
		sp = f.tiered
	}
	passing := fmt.Sprintf("FROM %s_%s p WHERE %s", f.c, w.layout.version,
		and(sp.sql(w, s), within.condition(), isTrue(w.after(by, f.req.After)), f.besides))
	if sp.exact() {
		return fmt.Sprintf("SELECT p.id, ~(%s) AS place, %s %s ORDER BY 0 + %s, p.id LIMIT %s", by, f.record(), passing, by,
			f.limit())
	}
	return fmt.Sprintf("SELECT p.id, ~p.place AS place, %s FROM (SELECT p.*, 0 + %s AS place %s ORDER BY place, p.id "+
		"OFFSET 0) p WHERE %s LIMIT %s",
		f.record(), by, and(passing, w.glance(sp.left(), s)), sp.row(w, s), f.limit())
}

// limit is the limit of a statement.
func (f *finder) limit() string {
	if f.limited != "" {
		return f.limited
	}
	return strconv.Itoa(f.req.Limit)
}

// passing takes documents that indexes give and that pass a glance, in no order.
func (f *finder) passing(l layout) statement {
	w := &writer{layout: l}
	by := order(f.req.SortBy)
	sql := fmt.Sprintf("SELECT p.id, ~(%s) AS place, %s FROM %s_%s p WHERE %s LIMIT %d",
		by, f.record(), f.c, l.version, and(f.whole.sql(w, f.stats.source), w.glance(f.whole.left(), f.stats.source),
			isTrue(w.after(by, f.req.After))), f.req.Limit)
	return statement{sql: sql, args: w.args, scan: len(f.whole.indexed) == 0}
}

func isTrue(condition string) string {
	if condition == "TRUE" {
		return ""
	}
	return "(" + condition + ") IS TRUE"
}

func (f *finder) record() string {
	if f.columns != "" {
		return f.columns
	}
	if f.req.NoRecord {
		return "NULL::json"
	}
	return "p.record"
}

// after is the condition of coming behind a position.
func (w *writer) after(by string, p *index.Position) string {
	if p == nil {
		return "TRUE"
	}
	return fmt.Sprintf("(%s, p.id) > (%s, %s)", by, w.number(^p.Sort), w.number(p.ID))
}

func (f *finder) run(ctx context.Context, build func(l layout) statement) ([]index.Hit, error) {
	if f.req.NoRecord {
		return f.places(ctx, build)
	}
	rows, err := f.ix.query(ctx, build)
	if err != nil {
		return nil, err
	}
	hits := make([]index.Hit, len(rows))
	for i, row := range rows {
		hits[i] = index.Hit{ID: number(row[0]), Sort: number(row[1]), Record: json.RawMessage(row[2])}
	}
	return hits, nil
}

// places runs a statement whose records nobody wants. Thousands of ids come as
// two arrays, in the order in which they were found: a row for each would take
// Postgres and Kith as long again.
func (f *finder) places(ctx context.Context, build func(l layout) statement) ([]index.Hit, error) {
	rows, err := f.ix.query(ctx, func(l layout) statement {
		st := build(l)
		st.sql = "SELECT array_agg(id), array_agg(place) FROM (" + st.sql + ") found"
		return st
	})
	if err != nil {
		return nil, err
	}
	ids, places := numbers(rows[0][0]), numbers(rows[0][1])
	hits := make([]index.Hit, len(ids))
	for i := range hits {
		hits[i] = index.Hit{ID: ids[i], Sort: places[i]}
	}
	return hits, nil
}

// number reads a bigint.
func number(v []byte) int64 { return int64(binary.BigEndian.Uint64(v)) }

// numbers reads an array of bigint, none of them null; null is none.
func numbers(v []byte) []int64 {
	const header, size = 20, 12 // see [arrayHeader] and [args.numbers]
	if len(v) < header {
		return nil
	}
	out := make([]int64, 0, (len(v)-header)/size)
	for v = v[header:]; len(v) >= size; v = v[size:] {
		out = append(out, number(v[size-8:size]))
	}
	return out
}
