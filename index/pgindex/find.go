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
	// many is the number of passing documents from which on a walk by rank is
	// tried: sorting so many takes about as long as the longest walk.
	many int
	// walk is how many documents a walk by rank looks at before it gives up
	// and the passing documents are sorted after all.
	walk int
	// page is the largest page that a walk by rank is tried for.
	page int
}

func defaultLimits() limits { return limits{many: 8000, walk: 5000, page: 500} }

// Find implements [index.Searcher].
func (ix *Index) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	if req.SortBy == "" {
		req.SortBy = query.Rank
	}
	f := finder{ix: ix, c: c, req: req}
	sieve := f.sieve()
	if sieve.sql == "" {
		return f.run(ctx, f.walk)
	}
	failed := keyOf("walk "+string(c)+string(req.SortBy)+sieve.sql, sieve.args)
	try, err := f.worthWalking(ctx, sieve, failed)
	if err != nil {
		return nil, err
	}
	if try {
		hits, err := f.run(ctx, f.tryWalk)
		if err != nil || len(hits) == req.Limit {
			return hits, err
		}
		ix.costs.put(failed, 0)
	}
	return f.run(ctx, f.gather)
}

// worthWalking decides whether a walk by rank is tried: where so many documents
// pass the sieve that sorting them takes longer. It counts them only where
// neither the query nor the statistics tell.
func (f finder) worthWalking(ctx context.Context, sieve statement, failed key) (bool, error) {
	if f.req.Limit > f.ix.limits.page {
		return false, nil
	}
	if _, hopeless := f.ix.costs.get(failed); hopeless {
		return false, nil
	}
	many := f.ix.limits.many
	if b := bound(f.req.Query); b < math.MaxInt {
		return b >= many, nil
	}
	stats, err := f.ix.statistics(ctx, f.c)
	if err != nil {
		return false, err
	}
	if least, most := stats.estimate(f.req.Query); least >= float64(many) || most < float64(many) {
		return least >= float64(many), nil
	}
	count, err := f.ix.passing(ctx, f.c, sieve)
	return count >= many, err
}

// finder builds the statements of one search step.
type finder struct {
	ix  *Index
	c   index.Collection
	req index.FindRequest
}

// sieve is the indexed condition of the query.
func (f finder) sieve() statement {
	w := &writer{}
	sql, _ := w.sieve(f.req.Query, documents(f.c))
	return statement{sql: sql, args: w.args}
}

// passing counts the documents that pass a sieve, to limits.many at most, or
// remembers it.
func (ix *Index) passing(ctx context.Context, c index.Collection, sieve statement) (int, error) {
	k := keyOf(string(c)+sieve.sql, sieve.args)
	if count, ok := ix.costs.get(k); ok {
		return count, nil
	}
	rows, err := ix.query(ctx, func(version string) statement {
		st := sieve
		st.sql = fmt.Sprintf("SELECT count(*) FROM (SELECT FROM %s_%s p WHERE %s LIMIT %d) passing", c, version, sieve.sql, ix.limits.many)
		return st
	})
	if err != nil {
		return 0, err
	}
	count := int(number(rows[0][0]))
	ix.costs.put(k, count)
	return count, nil
}

// walk goes through the documents in order and decides each by its row, until
// there are enough.
func (f finder) walk(version string) statement {
	w := &writer{version: version}
	by := order(f.req.SortBy)
	sql := fmt.Sprintf("SELECT p.id, ~(%s), %s FROM %s_%s p WHERE %s AND %s ORDER BY %s, p.id LIMIT %d",
		by, f.record(), f.c, version, w.after(by, f.req.After), w.row(f.req.Query, documents(f.c)), by, f.req.Limit)
	return statement{sql: sql, args: w.args}
}

// tryWalk walks through limits.walk documents and no further.
func (f finder) tryWalk(version string) statement {
	w := &writer{version: version}
	by := order(f.req.SortBy)
	first := fmt.Sprintf("SELECT p.*, %s AS place FROM %s_%s p WHERE %s ORDER BY place, p.id LIMIT %d",
		by, f.c, version, w.after(by, f.req.After), f.ix.limits.walk)
	sql := fmt.Sprintf("SELECT p.id, ~p.place, %s FROM (%s) p WHERE %s ORDER BY p.place, p.id LIMIT %d",
		f.record(), first, w.row(f.req.Query, documents(f.c)), f.req.Limit)
	return statement{sql: sql, args: w.args}
}

// gather takes all documents that pass the sieve, sorts them, and decides the
// rest of the query row by row until there are enough. Adding 0 and IS TRUE
// keep Postgres from using the index that has this order.
func (f finder) gather(version string) statement {
	w := &writer{version: version}
	by, s := order(f.req.SortBy), documents(f.c)
	sieve, _ := w.sieve(f.req.Query, s)
	rest := w.row(w.residue(f.req.Query, s), s)
	sql := fmt.Sprintf("SELECT p.id, ~p.place, %s FROM (SELECT p.*, 0 + %s AS place FROM %s_%s p WHERE %s AND (%s) IS TRUE ORDER BY place, p.id OFFSET 0) p WHERE %s LIMIT %d",
		f.record(), by, f.c, version, sieve, w.after(by, f.req.After), rest, f.req.Limit)
	return statement{sql: sql, args: w.args}
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

// Count implements [index.Searcher].
func (ix *Index) Count(ctx context.Context, c index.Collection, q query.Query, limit int) (int, error) {
	rows, err := ix.query(ctx, func(version string) statement {
		st := matching(c, q, version, "")
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

// matching selects columns of all documents that satisfy q.
func matching(c index.Collection, q query.Query, version, columns string) statement {
	w, s := &writer{version: version}, documents(c)
	sieve, _ := w.sieve(q, s)
	if sieve == "" {
		return statement{sql: fmt.Sprintf("SELECT %s FROM %s_%s p WHERE %s", columns, c, version, w.row(q, s)), args: w.args, scan: true}
	}
	sql := fmt.Sprintf("SELECT %s FROM (SELECT p.* FROM %s_%s p WHERE %s OFFSET 0) p WHERE %s",
		columns, c, version, sieve, w.row(w.residue(q, s), s))
	return statement{sql: sql, args: w.args}
}

// Facets implements [index.Searcher].
func (ix *Index) Facets(ctx context.Context, q query.Query, facets []index.Facet, size int) (map[index.Facet][]index.FacetValue, error) {
	answer := map[index.Facet][]index.FacetValue{}
	names := make([]string, len(facets))
	for i, f := range facets {
		answer[f], names[i] = []index.FacetValue{}, string(f)
	}
	rows, err := ix.query(ctx, func(version string) statement {
		st := matching(index.People, q, version, "p.facets")
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
