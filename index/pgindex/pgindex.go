// Package pgindex is the index in Postgres: a driver of the portable index. It keeps the terms of each document in an
// array under a GIN index, and the sub-documents of people in a separate table.
//
// A search runs by terms or by rank. By terms, it fetches and sorts all documents from the indexes on terms and
// numbers; that is slow if very many match. By rank, it reads documents in order until enough match; that is slow if
// few match. For conditions with very many matches there are tiers: the top of the order by rank, each with an index
// on terms of its own. A search tries one tier after the other, each eight times larger, and everyone last. The
// driver chooses the first tier by the statistics of Postgres, and caches the outcome for a minute. A wrong choice
// costs time but never changes the results.
//
// Phrases in titles are also terms: see isShingled.
//
// Rows are narrow: long values, including terms, are stored outside of them. So a page can fetch and sort thousands
// of documents, and reads the long values only of documents it must test by terms or return. A signature in the row,
// a Bloom filter over the terms, rules out most documents without that.
package pgindex

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith"
	"kith/index"
	"kith/index/pgfault"
)

// Index is the driver for one schema of one database. It is safe for concurrent use, and several processes may share
// a schema.
type Index struct {
	pool *pgxpool.Pool
	// active is the last known active version. It may be outdated: every statement checks it.
	active atomic.Pointer[layout]
	costs  *costs
	limits limits
	shares shares
	// unseen counts documents written since the last statistics.
	unseen atomic.Int64
}

// Index is both halves of a driver.
var (
	_ index.Searcher = (*Index)(nil)
	_ index.Writer   = (*Index)(nil)
	_ index.Counter  = (*Index)(nil)

	_ index.Completer = (*Index)(nil)
)

// New returns the index in the first schema of the pool's search path. Call Setup first. The caller closes the pool.
func New(pool *pgxpool.Pool) *Index {
	ix := &Index{
		pool: pool, costs: newCosts(), limits: defaultLimits(),
		shares: shares{have: map[index.Collection]statistics{}},
	}
	ix.active.Store(&layout{})
	return ix
}

// Engine returns "postgres".
func (ix *Index) Engine() string { return "postgres" }

// Check returns nil when Postgres answers and there is an active version.
func (ix *Index) Check(ctx context.Context) error {
	var name string
	err := ix.pool.QueryRow(ctx, "SELECT name FROM index_versions WHERE active").Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) || pgfault.Code(err) == pgfault.UndefinedTable {
		return notReady()
	}
	return pgfault.Classify(err)
}

func notReady() error {
	return kith.Errorf(kith.Unavailable, "INDEX_NOT_READY",
		"the index has no active version; kith serve and kith load create one")
}
