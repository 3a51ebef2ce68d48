// Package postgres stores everything that must not be lost, in one schema for each dataset. [DB] has a store for each
// noun, from a package of its own: access, records, networks, imports, outreach, lists and operation. They share a
// connection (package conn), and may use only the stores of packages before them in this order: access, network,
// record, the others. Their only rules are those of transactions.
package postgres

import (
	"context"
	"io"

	"kith"
	"kith/internal/operation/tasks"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	importsql "kith/internal/postgres/imports"
	networksql "kith/internal/postgres/network"
	"kith/internal/postgres/operation"
	outreachsql "kith/internal/postgres/outreach"
	recordsql "kith/internal/postgres/record"
	searchsql "kith/internal/postgres/search"
	"kith/internal/record/indexer"
	"kith/query/cursor"
)

// Options configure a database connection.
type Options = conn.Options

// CheckAddress checks the syntax of a database address, without connecting to it.
func CheckAddress(dsn string) error { return conn.CheckAddress(dsn) }

// DB is the stores of one dataset: its records by itself, the others by the methods below. It is safe for concurrent
// use, except in a transaction.
type DB struct {
	*recordsql.Store
	recordsql.Queue
	recordsql.Vocabulary

	audit *access.Audit
}

var _ indexer.Source = (*DB)(nil)

// Open connects to Postgres. It changes nothing in the database: see [operation.Store.Migrate].
func Open(ctx context.Context, dsn string, opts Options) (*DB, error) {
	db, err := conn.Open(ctx, dsn, opts)
	if err != nil {
		return nil, err
	}
	return over(recordsql.New(db), access.NewAudit(db)), nil
}

func over(records *recordsql.Store, audit *access.Audit) *DB {
	return &DB{records, recordsql.Queue{Store: records}, recordsql.Vocabulary{Store: records}, audit}
}

// In returns the stores in a transaction of db.
func (db *DB) In(tx *conn.DB) *DB { return over(db.Store.In(tx), db.audit.In(tx)) }

// Close waits for connections in use and closes them. No call of [recordsql.Queue.Wait] may be under way.
func (db *DB) Close() {
	db.StopListening()
	db.Store.Close()
}

// Access: who may use the dataset, and what they did.

// Auth stores apps, keys, users and tokens.
func (db *DB) Auth() *access.Auth { return access.NewAuth(db.DB) }

// Audit is the audit log.
func (db *DB) Audit() *access.Audit { return db.audit }

// Keys stores the sealing keys.
func (db *DB) Keys() *access.Keys { return access.NewKeys(db.DB) }

// Limits stores what limits users on all servers.
func (db *DB) Limits() *access.Limits { return access.NewLimits(db.DB) }

// NewAnswers returns the store of first answers. services returns what requests work with, over db in a transaction.
func NewAnswers[T any](db *DB, services func(tx *DB) T) *access.Answers[T] {
	return access.NewAnswers(db.DB, func(tx *conn.DB) T { return services(db.In(tx)) })
}

// Network stores what users know about people.
func (db *DB) Network() *networksql.Store { return networksql.New(db.DB, db.People) }

// Saved stores lists and saved searches.
func (db *DB) Saved() *searchsql.Saved { return searchsql.NewSaved(db.Store) }

// Imports stores imports.
func (db *DB) Imports() *importsql.Store { return importsql.New(db.Store) }

// Tickets stores refresh jobs; their tasks are in the queue.
func (db *DB) Tickets(queue *tasks.Queue) *recordsql.Tickets {
	return recordsql.NewTickets(db.Store, queue)
}

// Privacy stores erasures. The vault seals what can be restored.
func (db *DB) Privacy(vault *cursor.Sealer) *recordsql.Privacy {
	return recordsql.NewPrivacy(db.Store, db.audit, vault)
}

// Outreach stores sequences.
func (db *DB) Outreach() *outreachsql.Store { return outreachsql.New(db.Store) }

// Delivery stores what is sent and received. The vault seals passwords of mail servers and secrets of webhooks.
func (db *DB) Delivery(vault *cursor.Sealer) *outreachsql.Delivery {
	return outreachsql.NewDelivery(db.Store, vault)
}

// Export writes a user's data as load files: see [importsql.Export].
func (db *DB) Export(ctx context.Context, v kith.Viewer, w io.Writer) error {
	return importsql.Export(ctx, db.Store, db.audit, v, w, outreachsql.ExportSequences)
}

// Operation is the database as its operator sees it.
func (db *DB) Operation() *operation.Store { return operation.New(db.DB) }

// Migrate creates or updates the schema: see [operation.Store.Migrate].
func (db *DB) Migrate(ctx context.Context) error { return db.Operation().Migrate(ctx) }

// Snapshot is the source of a backup by a version of the program.
func (db *DB) Snapshot(version string) *operation.Snapshot {
	return operation.NewSnapshot(db.DB, version)
}
