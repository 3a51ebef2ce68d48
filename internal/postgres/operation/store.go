// Package operation migrates, backs up, restores and watches the database of a dataset.
package operation

import "kith/internal/postgres/conn"

// Store is the database as its operator sees it. It is safe for concurrent use.
type Store struct{ *conn.DB }

// New returns the store of a dataset.
func New(db *conn.DB) *Store { return &Store{db} }
