package pgindex

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"time"

	"kith/index"
	"kith/query"
)

// statistics are what Postgres knows of the documents of one collection.
type statistics struct {
	source source
	rows   float64
	// share is the share of the documents that have a term, for the terms that
	// are the most frequent.
	share map[string]float64
	// rest is the most that any other term can have.
	rest  float64
	until time.Time
}

// shares keeps the statistics of both collections.
type shares struct {
	mu   sync.Mutex
	have map[index.Collection]statistics
}

// readStatistics gives the number of documents and the most frequent terms of
// the last ANALYZE, in one row for each term.
const readStatistics = `SELECT c.reltuples::float8, e.term, e.share::float8
FROM pg_class c LEFT JOIN pg_stats s ON s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname AND s.attname = 'terms'
LEFT JOIN LATERAL unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) AS e(term, share) ON e.term IS NOT NULL
WHERE c.oid = '%s_%s'::regclass`

// statistics returns what is known of a collection, at most a minute old.
func (ix *Index) statistics(ctx context.Context, c index.Collection) (statistics, error) {
	ix.shares.mu.Lock()
	have, ok := ix.shares.have[c]
	ix.shares.mu.Unlock()
	if ok && time.Now().Before(have.until) {
		return have, nil
	}
	rows, err := ix.query(ctx, func(version string) statement {
		return statement{sql: fmt.Sprintf(readStatistics, c, version)}
	})
	if err != nil {
		return statistics{}, err
	}
	have = newStatistics(documents(c), rows)
	ix.shares.mu.Lock()
	defer ix.shares.mu.Unlock()
	ix.shares.have[c] = have
	return have, nil
}

func newStatistics(from source, rows [][][]byte) statistics {
	s := statistics{source: from, rest: 1, share: map[string]float64{}, until: time.Now().Add(remembered)}
	for _, row := range rows {
		s.rows = float(row[0])
		if row[1] == nil {
			continue
		}
		share := float(row[2])
		s.share[string(row[1])] = share
		s.rest = min(s.rest, share)
	}
	return s
}

func float(v []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(v)) }

// estimate returns between which numbers the documents that pass the sieve of
// q lie, as far as is known without counting.
func (s statistics) estimate(q query.Query) (least, most float64) {
	if s.rows < 0 || len(s.share) == 0 {
		return 0, math.Inf(1)
	}
	switch q := q.(type) {
	case query.Term:
		return s.term(term(q.Field, q.Value))
	case query.AllWords:
		return s.estimate(conjunction(q.Field, q.Words))
	case query.Phrase:
		_, most = s.estimate(conjunction(q.Field, q.Words))
		return 0, most
	case query.Terms:
		for _, v := range q.Values {
			l, m := s.term(term(q.Field, v))
			least, most = max(least, l), most+m
		}
		return least, most
	case query.And:
		return s.estimateAnd(q.Parts)
	case query.Or:
		for _, p := range q.Parts {
			l, m := s.estimate(p)
			least, most = max(least, l), most+m
		}
		return least, most
	case query.None:
		return 0, 0
	case query.IDs:
		return 0, float64(len(q.Values))
	case query.All, query.Not, query.Range, query.Exists, query.Nested:
	}
	return 0, math.Inf(1)
}

// conjunction is the condition of having all of the tokens.
func conjunction(f query.Field, words []string) query.And {
	var and query.And
	for _, w := range words {
		and.Parts = append(and.Parts, query.Term{Field: f, Value: w})
	}
	return and
}

func (s statistics) term(t string) (least, most float64) {
	if share, ok := s.share[t]; ok {
		return share * s.rows, share * s.rows
	}
	return 0, s.rest * s.rows
}

// estimateAnd leaves out the parts that the sieve does not ask for.
func (s statistics) estimateAnd(parts []query.Query) (least, most float64) {
	most = math.Inf(1)
	asked := 0
	for _, p := range parts {
		if sql, _ := (&writer{}).sieve(p, s.source); sql == "" {
			continue
		}
		var m float64
		least, m = s.estimate(p)
		most = min(most, m)
		asked++
	}
	if asked != 1 {
		least = 0
	}
	return least, most
}
