package pgindex

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"kith/index"
	"kith/query"
)

// limits decide how a search runs.
type limits struct {
	// walk is how many documents a walk by rank reads before it gives up; the documents from the indexes are then
	// sorted.
	walk int
	// eager tries every possible walk and tier.
	eager bool
	// tiers are the sizes of tiers, in documents.
	tiers []int
	// refresh is how many documents may be written before Refresh gathers new statistics.
	refresh int64
}

func defaultLimits() limits { return limits{walk: 5000, tiers: tierSizes(), refresh: refreshAfter} }

// Find implements [index.Searcher].
func (ix *Index) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	req.SortBy = cmp.Or(req.SortBy, query.Rank)
	stats, err := ix.statistics(ctx, c)
	if err != nil {
		return nil, err
	}
	req.Query = byShingles(req.Query)
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

// find returns the first documents of the order.
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
	// key identifies the search, independent of the start of the page.
	key key
	// whole is the split for searching everyone, tiered for searching a tier.
	whole, tiered split
	// share is the likely share of matching documents; bound is an upper limit, if known.
	share float64
	bound int
	// first is the smallest tier that is likely to have enough documents; len(stats.tiers) is everyone.
	first int
	// columns are selected instead of the record; empty for the record.
	columns string
	// walkLimit is how many documents a walk reads before it gives up.
	walkLimit int
	// besides is an additional SQL condition, limited replaces the request's limit; empty for none.
	besides, limited string
}

func newFinder(ix *Index, c index.Collection, req index.FindRequest, stats statistics) *finder {
	f := &finder{ix: ix, c: c, req: req, stats: stats, walkLimit: ix.limits.walk}
	f.whole, f.tiered = stats.splits(req.Query)
	if len(f.whole.indexed) == 0 {
		return f
	}
	f.share, f.bound = stats.estimate(req.Query), upperBound(req.Query)
	f.key = ix.costs.keyOf(req.Query, string(c), string(req.SortBy), strconv.Itoa(req.Limit))
	f.first = f.firstTier()
	return f
}

// atMost limits a share to the bound.
func (f *finder) atMost(share float64) float64 {
	if f.bound == math.MaxInt {
		return share
	}
	return min(share, float64(f.bound)/max(1, f.stats.rows))
}

// walkFirst tries a walk by rank if it is likely to be faster than sorting the documents from indexes; ok is false if
// it was not tried or gave up.
func (f *finder) walkFirst(ctx context.Context) (hits []index.Hit, ok bool, err error) {
	if !f.prefersWalk() {
		return nil, false, nil
	}
	known := f.key.walking()
	if _, vain := f.ix.costs.get(known); vain {
		return nil, false, nil
	}
	hits, err = f.run(ctx, f.tryWalk)
	if err != nil || len(hits) == f.req.Limit {
		return hits, true, err
	}
	f.ix.costs.put(known, 0)
	return nil, false, nil
}

// prefersWalk reports whether a walk by rank is likely to be faster than sorting the documents from indexes. It
// assumes that unknown terms are rare: a vain walk tests walkLimit documents.
func (f *finder) prefersWalk() bool {
	stats := f.stats
	stats.rareWords = true
	needed := float64(f.req.Limit) / max(stats.estimate(f.req.Query), math.SmallestNonzeroFloat64)
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

// beyond reports whether the search starts after the end of a tier.
func (f *finder) beyond(t tier) bool { return f.req.After != nil && f.req.After.Sort < t.least }

// byTiers searches one tier after the other, from the first that is likely to have enough, and everyone last. Results
// of one tier precede all additional results of the next.
func (f *finder) byTiers(ctx context.Context) ([]index.Hit, error) {
	all := len(f.stats.tiers)
	if f.req.SortBy != query.Rank {
		return f.run(ctx, func(w *writer) string { return f.gather(w, nil) })
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
		more, err := f.run(ctx, func(w *writer) string { return f.gather(w, &t) })
		if hits = append(hits, more...); err != nil || len(hits) == limit {
			return hits, err
		}
		f.ix.costs.put(f.key, i+1)
		f.req.Limit = limit - len(hits)
		f.req.After = &index.Position{Sort: t.least, ID: math.MaxInt64}
	}
	more, err := f.run(ctx, func(w *writer) string { return f.gather(w, nil) })
	return append(hits, more...), err
}

// walk reads documents in order and tests each row until there are enough.
func (f *finder) walk(w *writer) string {
	by := order(f.req.SortBy)
	return fmt.Sprintf("SELECT p.id, ~(%s) AS place, %s FROM %s_%s p WHERE %s AND %s ORDER BY %s, p.id LIMIT %s",
		by, f.record(), f.c, w.layout.version, and(w.after(by, f.req.After), f.besides),
		w.decide(f.req.Query, f.stats.source), by, f.limit())
}

// tryWalk is a walk of at most walkLimit documents.
func (f *finder) tryWalk(w *writer) string {
	by := order(f.req.SortBy)
	first := fmt.Sprintf("SELECT p.*, %s AS place FROM %s_%s p WHERE %s ORDER BY place, p.id LIMIT %d",
		by, f.c, w.layout.version, and(w.after(by, f.req.After), f.besides), f.walkLimit)
	return fmt.Sprintf("SELECT p.id, ~p.place AS place, %s FROM (%s) p WHERE %s ORDER BY p.place, p.id LIMIT %s",
		f.record(), first, w.decide(f.req.Query, f.stats.source), f.limit())
}

// gather fetches all documents from indexes, of a tier or of everyone, sorts them, and tests the rest of the query
// row by row until there are enough. "0 +" and IS TRUE keep Postgres from using the index with this order.
func (f *finder) gather(w *writer, within *tier) string {
	by, s := order(f.req.SortBy), f.stats.source
	sp := f.whole
	if within != nil {
		sp = f.tiered
	}
	passing := fmt.Sprintf("FROM %s_%s p WHERE %s", f.c, w.layout.version,
		and(sp.sql(w, s), within.condition(), isTrue(w.after(by, f.req.After)), f.besides))
	if sp.exact() {
		return fmt.Sprintf("SELECT p.id, ~(%s) AS place, %s %s ORDER BY 0 + %s, p.id LIMIT %s", by, f.record(), passing,
			by, f.limit())
	}
	return fmt.Sprintf("SELECT p.id, ~p.place AS place, %s FROM (SELECT p.*, 0 + %s AS place %s ORDER BY place, p.id "+
		"OFFSET 0) p WHERE %s LIMIT %s",
		f.record(), by, and(passing, w.columnCheck(sp.left(), s)), sp.row(w, s), f.limit())
}

// limit is the limit of the statement.
func (f *finder) limit() string {
	if f.limited != "" {
		return f.limited
	}
	return strconv.Itoa(f.req.Limit)
}

// passing fetches documents from indexes that pass a check of their own columns, unordered, for a loose search.
func (f *finder) passing(w *writer) string {
	by := order(f.req.SortBy)
	return fmt.Sprintf("SELECT p.id, ~(%s) AS place, %s FROM %s_%s p WHERE %s LIMIT %d",
		by, f.record(), f.c, w.layout.version, and(f.whole.sql(w, f.stats.source), w.columnCheck(f.whole.left(),
			f.stats.source),
			isTrue(w.after(by, f.req.After))), f.req.Limit)
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

// after is the condition for documents after a position.
func (w *writer) after(by string, p *index.Position) string {
	if p == nil {
		return "TRUE"
	}
	return fmt.Sprintf("(%s, p.id) > (%s, %s)", by, w.number(^p.Sort), w.number(p.ID))
}

// statement runs what sql writes. A loose search that no index serves reads the whole table.
func (f *finder) statement(l layout, sql func(w *writer) string) statement {
	w := &writer{layout: l}
	text := sql(w)
	return statement{sql: text, args: w.args, scan: f.req.Loose && len(f.whole.indexed) == 0}
}

func (f *finder) run(ctx context.Context, sql func(w *writer) string) ([]index.Hit, error) {
	if f.req.NoRecord {
		return f.positions(ctx, sql)
	}
	rows, err := f.ix.query(ctx, func(l layout) statement { return f.statement(l, sql) })
	if err != nil {
		return nil, err
	}
	hits := make([]index.Hit, len(rows))
	for i, row := range rows {
		hits[i] = index.Hit{ID: number(row[0]), Sort: number(row[1]), Record: json.RawMessage(row[2])}
	}
	return hits, nil
}

// positions runs a statement without records. It returns ids as two arrays, in search order: a row for each of
// thousands would double the time in Postgres and in Kith.
func (f *finder) positions(ctx context.Context, sql func(w *writer) string) ([]index.Hit, error) {
	rows, err := f.ix.query(ctx, func(l layout) statement {
		st := f.statement(l, sql)
		st.sql = "SELECT array_agg(id), array_agg(place) FROM (" + st.sql + ") found"
		return st
	})
	if err != nil {
		return nil, err
	}
	ids, positions := numbers(rows[0][0]), numbers(rows[0][1])
	hits := make([]index.Hit, len(ids))
	for i := range hits {
		hits[i] = index.Hit{ID: ids[i], Sort: positions[i]}
	}
	return hits, nil
}

// number reads a bigint.
func number(v []byte) int64 { return int64(binary.BigEndian.Uint64(v)) }

// numbers reads an array of bigint without nulls; null becomes nil.
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
