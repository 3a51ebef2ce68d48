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
	// and the documents that the sieve gives are sorted after all.
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
	f := newFinder(ix, c, req, stats)
	if req.Loose {
		return f.run(ctx, f.passing)
	}
	if len(f.whole.sieved) == 0 {
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
}

func newFinder(ix *Index, c index.Collection, req index.FindRequest, stats statistics) finder {
	f := finder{ix: ix, c: c, req: req, stats: stats, whole: stats.split(req.Query, false)}
	if len(f.whole.sieved) == 0 {
		return f
	}
	f.tiered = stats.split(req.Query, true)
	f.share, f.bound = stats.likely(req.Query), bound(req.Query)
	w := &writer{}
	f.key = ix.costs.keyOf(w.row(req.Query, stats.source), w.args, string(c), string(req.SortBy), strconv.Itoa(req.Limit))
	f.first = f.firstTier()
	return f
}

// atMost is a share that is no more than the bound allows.
func (f finder) atMost(share float64) float64 {
	if f.bound == math.MaxInt {
		return share
	}
	return min(share, float64(f.bound)/max(1, f.stats.rows))
}

// walkFirst tries a walk by rank where it is likely to be quicker than sorting
// what the sieve gives; ok is false where it was not tried or gave up.
func (f finder) walkFirst(ctx context.Context) (hits []index.Hit, ok bool, err error) {
	needed := float64(f.req.Limit) / max(f.share, math.SmallestNonzeroFloat64)
	gathered := f.stats.rows * f.atMost(f.whole.share)
	if f.req.SortBy == query.Rank && f.first < len(f.stats.tiers) {
		gathered = f.stats.tiers[f.first].size * f.tiered.share
	}
	worth := f.stats.rows > 0 && needed*3 < float64(f.ix.limits.walk) && needed*costDecide < gathered*costFetch
	if !worth && !f.ix.limits.eager {
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

func (f finder) firstTier() int {
	share := f.atMost(f.share)
	for i, t := range f.stats.tiers {
		if !f.beyond(t) && t.size*share > 1.5*float64(f.req.Limit) {
			return i
		}
	}
	return len(f.stats.tiers)
}

// beyond reports whether the search goes on behind the whole of a tier.
func (f finder) beyond(t tier) bool { return f.req.After != nil && f.req.After.Sort < t.least }

// byTiers looks in one tier after the other, from the first that is likely to
// have enough, and then among everyone. What a tier gives comes before all
// that the next has beyond it.
func (f finder) byTiers(ctx context.Context) ([]index.Hit, error) {
	all := len(f.stats.tiers)
	if f.req.SortBy != query.Rank {
		return f.run(ctx, func(version string) statement { return f.gather(version, nil) })
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
		more, err := f.run(ctx, func(version string) statement { return f.gather(version, &t) })
		if hits = append(hits, more...); err != nil || len(hits) == limit {
			return hits, err
		}
		f.ix.costs.put(f.key, i+1)
		f.req.Limit = limit - len(hits)
		f.req.After = &index.Position{Sort: t.least, ID: math.MaxInt64}
	}
	more, err := f.run(ctx, func(version string) statement { return f.gather(version, nil) })
	return append(hits, more...), err
}

// walk goes through the documents in order and decides each by its row, until
// there are enough.
func (f finder) walk(version string) statement {
	w := &writer{version: version}
	by := order(f.req.SortBy)
	sql := fmt.Sprintf("SELECT p.id, ~(%s), %s FROM %s_%s p WHERE %s AND %s ORDER BY %s, p.id LIMIT %d",
		by, f.record(), f.c, version, w.after(by, f.req.After), w.row(f.req.Query, f.stats.source), by, f.req.Limit)
	return statement{sql: sql, args: w.args}
}

// tryWalk walks through limits.walk documents and no further.
func (f finder) tryWalk(version string) statement {
	w := &writer{version: version}
	by := order(f.req.SortBy)
	first := fmt.Sprintf("SELECT p.*, %s AS place FROM %s_%s p WHERE %s ORDER BY place, p.id LIMIT %d",
		by, f.c, version, w.after(by, f.req.After), f.ix.limits.walk)
	sql := fmt.Sprintf("SELECT p.id, ~p.place, %s FROM (%s) p WHERE %s ORDER BY p.place, p.id LIMIT %d",
		f.record(), first, w.row(f.req.Query, f.stats.source), f.req.Limit)
	return statement{sql: sql, args: w.args}
}

// gather takes all documents that pass the sieve, of a tier or of everyone,
// sorts them, and decides the rest of the query row by row until there are
// enough. Adding 0 and IS TRUE keep Postgres from using the index that has
// this order.
func (f finder) gather(version string, within *tier) statement {
	w := &writer{version: version}
	by, s := order(f.req.SortBy), f.stats.source
	sp := f.whole
	if within != nil {
		sp = f.tiered
	}
	passing := fmt.Sprintf("FROM %s_%s p WHERE %s", f.c, version, and(sp.sql(w, s), within.condition(), isTrue(w.after(by, f.req.After))))
	if sp.exact() {
		sql := fmt.Sprintf("SELECT p.id, ~(%s), %s %s ORDER BY 0 + %s, p.id LIMIT %d", by, f.record(), passing, by, f.req.Limit)
		return statement{sql: sql, args: w.args}
	}
	sql := fmt.Sprintf("SELECT p.id, ~p.place, %s FROM (SELECT p.*, 0 + %s AS place %s ORDER BY place, p.id OFFSET 0) p WHERE %s LIMIT %d",
		f.record(), by, passing, sp.row(w, s), f.req.Limit)
	return statement{sql: sql, args: w.args}
}

// passing takes documents that pass the sieve, in no order.
func (f finder) passing(version string) statement {
	w := &writer{version: version}
	by := order(f.req.SortBy)
	sql := fmt.Sprintf("SELECT p.id, ~(%s), %s FROM %s_%s p WHERE %s LIMIT %d",
		by, f.record(), f.c, version, and(f.whole.sql(w, f.stats.source), isTrue(w.after(by, f.req.After))), f.req.Limit)
	return statement{sql: sql, args: w.args, scan: len(f.whole.sieved) == 0}
}

func isTrue(condition string) string {
	if condition == "TRUE" {
		return ""
	}
	return "(" + condition + ") IS TRUE"
}

func (f finder) record() string {
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

func (f finder) run(ctx context.Context, build func(version string) statement) ([]index.Hit, error) {
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

// number reads a bigint.
func number(v []byte) int64 { return int64(binary.BigEndian.Uint64(v)) }

// Count implements [index.Searcher]. Where the limit is likely to be reached
// in a tier, it counts there first.
func (ix *Index) Count(ctx context.Context, c index.Collection, q query.Query, limit int) (int, error) {
	stats, err := ix.statistics(ctx, c)
	if err != nil {
		return 0, err
	}
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
	rows, err := ix.query(ctx, func(version string) statement {
		st := stats.matching(c, q, version, "", within)
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
func (s statistics) matching(c index.Collection, q query.Query, version, columns string, within *tier) statement {
	w := &writer{version: version}
	sp := s.split(q, within != nil)
	sieve := sp.sql(w, s.source)
	if sieve == "" {
		sql := fmt.Sprintf("SELECT %s FROM %s_%s p WHERE %s", columns, c, version, and(w.row(q, s.source), within.condition()))
		return statement{sql: sql, args: w.args, scan: true}
	}
	if sp.exact() {
		return statement{sql: fmt.Sprintf("SELECT %s FROM %s_%s p WHERE %s", columns, c, version, and(sieve, within.condition())), args: w.args}
	}
	sql := fmt.Sprintf("SELECT %s FROM (SELECT p.* FROM %s_%s p WHERE %s OFFSET 0) p WHERE %s",
		columns, c, version, and(sieve, within.condition()), sp.row(w, s.source))
	return statement{sql: sql, args: w.args}
}

// Facets implements [index.Searcher].
func (ix *Index) Facets(ctx context.Context, q query.Query, facets []index.Facet, size int) (map[index.Facet][]index.FacetValue, error) {
	answer := map[index.Facet][]index.FacetValue{}
	names := make([]string, len(facets))
	for i, f := range facets {
		answer[f], names[i] = []index.FacetValue{}, string(f)
	}
	stats, err := ix.statistics(ctx, index.People)
	if err != nil {
		return nil, err
	}
	rows, err := ix.query(ctx, func(version string) statement {
		st := stats.matching(index.People, q, version, "p.facets", nil)
		st.sql = fmt.Sprintf(`SELECT facet, value, n FROM (
  SELECT f.key AS facet, f.value, count(*) AS n, row_number() OVER (PARTITION BY f.key ORDER BY count(*) DESC, f.value COLLATE "C") AS nth
  FROM (%s) m, jsonb_each_text(m.facets) f WHERE f.key = ANY(%s) GROUP BY f.key, f.value) counted
WHERE nth <= %s ORDER BY facet, nth`, st.sql, st.texts(names), st.number(int64(size)))
		return st
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
