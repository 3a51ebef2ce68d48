package pgindex

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"time"

	"kith/index"
)

// statistics are Postgres' statistics on the documents of one collection.
type statistics struct {
	source source
	// rows is the number of documents, negative if unknown.
	rows float64
	// share is the share of documents with a term, for the most frequent terms, by hash.
	share map[int64]float64
	// rest is the highest possible share of any other term.
	rest float64
	// rareWords treats unknown words of jobs as rare, for comparing conditions. For choosing a tier they count as
	// frequent: a vain search in a small tier costs less than one in a large tier.
	rareWords bool
	// numbers are the distributions of the columns.
	numbers map[string]*distribution
	// tiers are the tops of the order with an index of their own, the smallest first.
	tiers []tier
	until time.Time
}

// distribution is the distribution of the numbers of a column.
type distribution struct {
	// missing is the share of documents without a number.
	missing float64
	// frequent are the shares of the most frequent numbers.
	frequent map[int64]float64
	// bounds divide the other numbers into groups of equal size, ascending.
	bounds []int64
}

// shares caches the statistics of both collections.
type shares struct {
	mu   sync.Mutex
	have map[index.Collection]statistics
}

// readStatistics reads the results of the last ANALYZE, one value in each row: the number of documents, the shares of
// terms, the distribution of numbers, and the tiers. Its verbs are collection and version.
const readStatistics = `WITH c AS (SELECT c.oid, c.reltuples, s.* FROM pg_class c
  LEFT JOIN pg_stats s ON s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname
    WHERE c.oid = '%[1]s_%[2]s'::regclass)
SELECT 'rows' AS kind, NULL::text AS name, 0::bigint AS value, max(reltuples)::float8 AS share FROM c
UNION ALL SELECT 'term', NULL, e.term::bigint, e.share FROM c, unnest(most_common_elems::text::text[],
	most_common_elem_freqs) AS e(term, share)
  WHERE attname = 'terms' AND e.term IS NOT NULL
UNION ALL SELECT 'missing', attname, 0, null_frac FROM c WHERE attname = ANY($1)
UNION ALL SELECT 'value', attname, e.value, e.share FROM c, unnest(most_common_vals::text::bigint[],
	most_common_freqs) AS e(value, share)
  WHERE attname = ANY($1)
UNION ALL (SELECT 'bound', attname, e.value, 0 FROM c, unnest(histogram_bounds::text::bigint[]) AS e(value)
  WHERE attname = ANY($1) ORDER BY attname, value)
UNION ALL (SELECT 'tier', NULL, ` + leastRank + `,
    substring(t.relname FROM '_top([0-9]+)$')::float8
  FROM (SELECT DISTINCT oid FROM c) c JOIN pg_index i ON i.indrelid = c.oid AND i.indisvalid
    JOIN pg_class t ON t.oid = i.indexrelid
  WHERE t.relname ~ '_terms_top[0-9]+$' ORDER BY 4)`

// statistics returns the statistics of a collection, at most a minute old.
func (ix *Index) statistics(ctx context.Context, c index.Collection) (statistics, error) {
	ix.shares.mu.Lock()
	have, ok := ix.shares.have[c]
	ix.shares.mu.Unlock()
	if ok && time.Now().Before(have.until) {
		return have, nil
	}
	from := documents(c)
	rows, err := ix.query(ctx, func(l layout) statement {
		w := writer{}
		w.texts(numberColumns(from.numbers))
		return statement{sql: fmt.Sprintf(readStatistics, c, l.version), args: w.args, scan: true}
	})
	if err != nil {
		return statistics{}, err
	}
	have = newStatistics(from, rows)
	ix.shares.mu.Lock()
	defer ix.shares.mu.Unlock()
	ix.shares.have[c] = have
	return have, nil
}

func newStatistics(from source, rows [][][]byte) statistics {
	s := statistics{
		source: from, rows: -1, rest: 1, share: map[int64]float64{}, numbers: map[string]*distribution{},
		until: time.Now().Add(remembered),
	}
	for _, row := range rows {
		s.read(string(row[0]), string(row[1]), number(row[2]), row[3])
	}
	return s
}

// read stores one row of [readStatistics].
func (s *statistics) read(kind, name string, value int64, shareBytes []byte) {
	if shareBytes == nil {
		return
	}
	share := math.Float64frombits(binary.BigEndian.Uint64(shareBytes))
	switch kind {
	case "rows":
		s.rows = share
	case "term":
		s.share[value] = share
		s.rest = min(s.rest, share)
	case "missing":
		s.column(name).missing = share
	case "value":
		s.column(name).frequent[value] = share
	case "bound":
		s.column(name).bounds = append(s.column(name).bounds, value)
	case "tier":
		s.tiers = append(s.tiers, tier{size: share, least: value})
	}
}

func (s *statistics) column(name string) *distribution {
	d, ok := s.numbers[name]
	if !ok {
		d = &distribution{frequent: map[int64]float64{}}
		s.numbers[name] = d
	}
	return d
}

// between is the share of documents with a number within the limits; nil is no limit.
func (d *distribution) between(least, most *int64) float64 {
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	if least != nil {
		lo = *least
	}
	if most != nil {
		hi = *most
	}
	inside, frequent := 0.0, 0.0
	for v, share := range d.frequent {
		frequent += share
		if lo <= v && v <= hi {
			inside += share
		}
	}
	return inside + max(0, 1-d.missing-frequent)*d.groups(lo, hi)
}

// groups is the share of the less frequent numbers within the limits, by linear interpolation in each group.
func (d *distribution) groups(lo, hi int64) float64 {
	if len(d.bounds) < 2 || hi < d.bounds[0] || lo > d.bounds[len(d.bounds)-1] {
		return 0
	}
	covered := 0.0
	for i, from := range d.bounds[:len(d.bounds)-1] {
		to := d.bounds[i+1]
		overlap := float64(min(hi, to)) - float64(max(lo, from))
		switch {
		case overlap < 0:
		case to == from:
			covered++
		default:
			covered += overlap / (float64(to) - float64(from))
		}
	}
	return covered / float64(len(d.bounds)-1)
}
