// Package record stores the records of people and companies, with everything that is written together with them: the
// queue of the index, the vocabulary, merges, erasures and refresh tickets. Package network keeps what users know about
// the people.
package record

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/semaphore"

	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

// Store stores records. It is safe for concurrent use, except in a transaction.
type Store struct {
	*conn.DB

	*state
}

// state is what a store and its transactions have in common.
type state struct {
	companies companyCache

	// writing is held by the process's only writer: see [Store.Write].
	writing *semaphore.Weighted

	// listener receives notifications of queued entries; nil until the first [Queue.Wait].
	listening sync.Mutex
	listener  *pgxpool.Conn
}

// New returns the records of a dataset.
func New(db *conn.DB) *Store { return &Store{db, &state{writing: semaphore.NewWeighted(1)}} }

// In returns the records in a transaction.
func (db *Store) In(tx *conn.DB) *Store { return &Store{tx, db.state} }

// StopListening releases the connection of [Queue.Wait], of which no call may be under way.
func (db *Store) StopListening() {
	db.listening.Lock()
	defer db.listening.Unlock()
	if db.listener != nil {
		conn.Drop(db.listener)
		db.listener = nil
	}
}

// Suppressed returns the profile keys whose people must not be stored.
func (db *Store) Suppressed(ctx context.Context, keys []string) (map[string]bool, error) {
	return access.SuppressedAmong(ctx, db.DB, db.Querier(), keys)
}

// Queue is the queue of the index, and the state of the index that is kept with it.
type Queue struct{ *Store }

// Vocabulary is the vocabulary of the dataset.
type Vocabulary struct{ *Store }
