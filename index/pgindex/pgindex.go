// Package pgindex is the index in Postgres: a driver of the portable index
// that keeps the terms of each document in an array under GIN, and each
// person's sub-documents in a table of their own.
//
// A search runs in one of two ways: by terms (all documents that the indexes
// on terms and numbers give, sorted) or by rank (documents in order, until
// enough of them satisfy the query). The first is slow for what very many
// documents have, the second for what few have. What very many have is found in
// a tier: the top of the order by rank, which has an index on terms of its own.
// A search looks in one tier after the other, each eight times as large as the
// one before, and among everyone last; where it begins the driver guesses from
// the statistics that Postgres gathers, and remembers for a while what came of
// it. A wrong guess costs time and changes nothing else.
//
// Of titles, phrases are terms, too: see isShingled.
//
// Rows are narrow: everything long, the terms too, stands outside of them. So
// thousands of documents can be fetched and sorted for a page, and only what is
// decided by its terms, or handed out, is read whole. A signature in the row
// tells of most documents that they lack a term, so that few are.
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

// Index is the driver over one schema of one database. It is safe for
// concurrent use; several processes may share a schema.
type Index struct {
	pool *pgxpool.Pool
	// active is the version that was active when last seen; every statement checks
	// it, so it may be out of date.
	active atomic.Pointer[layout]
	costs  *costs
	limits limits
	shares shares
	// signatures tell of people that they do not satisfy a query.
	signatures signatures
	// unseen counts documents written since the statistics were gathered.
	unseen atomic.Int64
}

// Index is both halves of a driver.
var (
	_ index.Searcher = (*Index)(nil)
	_ index.Writer   = (*Index)(nil)
	_ index.Siever   = (*Index)(nil)
	_ index.Counter  = (*Index)(nil)

	_ index.Completer = (*Index)(nil)
)

// New returns the index in the schema that the pool's search path names first.
// Call Setup before anything else. The pool stays the caller's.
func New(pool *pgxpool.Pool) *Index {
	ix := &Index{
		pool: pool, costs: newCosts(), limits: defaultLimits(),
		shares: shares{have: map[index.Collection]statistics{}}, signatures: signatures{turn: make(chan struct{}, 1)},
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
