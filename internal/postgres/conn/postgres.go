// Package conn connects to the Postgres of a dataset: the pool, transactions, locks, settings,
// and helpers for statements. One [DB] serves one dataset in one schema, so table names are never qualified.
package conn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith"
	"kith/index/pgfault"
	"kith/internal/access/keys"
)

// Options configure a database connection.
type Options struct {
	// Schema holds every table of the dataset; empty is "kith".
	Schema string
	// MaxConns is the size of the pool; 0 is 20. Each listener and each held lock occupies one connection.
	MaxConns int
	// Name is shown as application_name in pg_stat_activity; empty is "kith".
	Name string
}

// DB is the connection pool of one dataset, or a transaction of it that several stores share. It is safe for concurrent
// use, except in a transaction. [pgfault.Classify] classifies the errors of its stores.
type DB struct {
	*shared

	pool *pool
}

// shared is what a DB and its transactions have in common.
type shared struct {
	schema string
	// suppressionKey and auditKey are set once: see [DB.UseKeys].
	suppressionKey, auditKey []byte
	// unwatch ends the watch for silent servers.
	unwatch func()
}

// Open creates the pool and checks that Postgres answers. It changes nothing in the database.
func Open(ctx context.Context, dsn string, opts Options) (*DB, error) {
	cfg, err := parse(dsn)
	if err != nil {
		return nil, err
	}
	db := &DB{shared: &shared{schema: cmp.Or(opts.Schema, "kith")}}
	configure(cfg, db.schema, opts)
	db.unwatch = watchSeveral(cfg)
	all, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		db.unwatch()
		return nil, fmt.Errorf("open database: %w", Classify(err))
	}
	db.pool = &pool{Pool: all}
	if err := db.Ping(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// CheckAddress checks the syntax of a database address, without connecting to it.
func CheckAddress(dsn string) error {
	_, err := parse(dsn)
	return err
}

func parse(dsn string) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", withoutPassword(err))
	}
	return cfg, nil
}

// configure sets what all connections of the pool share.
func configure(cfg *pgxpool.Config, schema string, opts Options) {
	cfg.MaxConns = connections
	if opts.MaxConns > 0 {
		cfg.MaxConns = int32(opts.MaxConns)
	}
	cfg.MaxConnIdleTime = 5 * time.Minute
	// An address may set connect_timeout. With several servers, the next one waits for it.
	if cfg.ConnConfig.ConnectTimeout == 0 {
		cfg.ConnConfig.ConnectTimeout = 5 * time.Second
		if isSeveral(cfg) {
			cfg.ConnConfig.ConnectTimeout = 2 * time.Second
		}
	}
	cfg.AfterConnect = func(_ context.Context, c *pgx.Conn) error {
		codec := &pgtype.TimestamptzCodec{ScanLocation: time.UTC}
		c.TypeMap().RegisterType(&pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: codec})
		return nil
	}
	params := cfg.ConnConfig.RuntimeParams
	params["search_path"] = pgx.Identifier{schema}.Sanitize()
	params["application_name"] = cmp.Or(opts.Name, "kith")
	params["timezone"] = "UTC"
	// Compiling a statement takes longer than running any of ours.
	params["jit"] = "off"
	// A statement or transaction that takes longer is stuck: better an error than locks held forever.
	setDefault(params, "statement_timeout", "120s")
	setDefault(params, "idle_in_transaction_session_timeout", "120s")
	// The role may have shorter ones for interactive use. Here, listeners and lock holders are idle for long, and
	// others wait for those locks.
	setDefault(params, "idle_session_timeout", "0")
	setDefault(params, "lock_timeout", "0")
}

func setDefault(params map[string]string, key, value string) {
	if _, set := params[key]; !set {
		params[key] = value
	}
}

// withoutPassword drops the address from a parse error, which repeats it.
func withoutPassword(err error) error {
	why := "it cannot be read"
	if inner := errors.Unwrap(err); inner != nil {
		why = inner.Error()
	}
	return errors.New(why + "; it should look like postgres://user:password@host:5432/database")
}

// Close waits for connections in use and closes them.
func (db *DB) Close() {
	db.unwatch()
	db.pool.Close()
}

// SuppressionKey hashes the marks of erased people; nil before [DB.UseKeys].
func (db *DB) SuppressionKey() []byte { return db.suppressionKey }

// AuditKey chains the audit; nil before [DB.UseKeys].
func (db *DB) AuditKey() []byte { return db.auditKey }

// IsTransaction reports whether db is a transaction that several stores share.
func (db *DB) IsTransaction() bool { return db.pool.unit != nil }

// Schema is the schema with the tables of this dataset.
func (db *DB) Schema() string { return db.schema }

// Pool is the underlying pool, for the search engine that keeps its tables in the same schema. It belongs to db: do not
// close it.
func (db *DB) Pool() *pgxpool.Pool { return db.pool.Pool }

// Querier is the pool, for single statements, or the transaction of db.
func (db *DB) Querier() Querier { return db.pool }

// ServerVersion returns the version of the server, such as "17.2".
func (db *DB) ServerVersion(ctx context.Context) (string, error) {
	return Value[string](ctx, db.pool, "postgres", "show server_version")
}

// Ping returns nil when Postgres answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.pool.Ping(ctx); err != nil {
		return fmt.Errorf("postgres: %w", Classify(err))
	}
	return nil
}

// InTx runs f in one transaction and rolls back if f fails; errors begin with what was tried. If the outcome of the
// commit is unknown, the error is a [kith.ErrMaybeDone].
func (db *DB) InTx(ctx context.Context, what string, f func(pgx.Tx) error) error {
	return db.InTxWith(ctx, what, pgx.TxOptions{}, f)
}

// InSnapshot is [DB.InTx] for reading: all statements see the same snapshot.
func (db *DB) InSnapshot(ctx context.Context, what string, f func(pgx.Tx) error) error {
	return db.InTxWith(ctx, what, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

// Within returns db in a transaction: what stores over it do is part of the transaction, with their own transactions as
// savepoints. Two goroutines must not use it concurrently.
func (db *DB) Within(tx pgx.Tx) *DB {
	return &DB{db.shared, &pool{Pool: db.pool.Pool, unit: &unit{tx: tx}}}
}

// InUnit is [DB.InTx] across domains: f gets db in the transaction; see [DB.Within].
func (db *DB) InUnit(ctx context.Context, f func(*DB, pgx.Tx) error) error {
	var in *DB
	err := db.InTx(ctx, "request", func(tx pgx.Tx) error {
		in = db.Within(tx)
		return f(in, tx)
	})
	if err != nil {
		return err
	}
	for _, after := range in.pool.unit.after {
		after()
	}
	return nil
}

// InTxWith is [DB.InTx] with options. Inside a unit, which decides the commit and the isolation level, it makes a
// savepoint.
func (db *DB) InTxWith(ctx context.Context, what string, opts pgx.TxOptions, f func(pgx.Tx) error) error {
	return Named(what, db.Begin(ctx, opts, f))
}

// Begin is [DB.InTxWith] whose errors do not say what was tried.
func (db *DB) Begin(ctx context.Context, opts pgx.TxOptions, f func(pgx.Tx) error) error {
	if u := db.pool.unit; u != nil {
		return Classify(pgx.BeginFunc(ctx, u.tx, f))
	}
	committing := false
	err := Classify(pgx.BeginTxFunc(ctx, db.pool, opts, func(tx pgx.Tx) error {
		err := f(tx)
		committing = err == nil
		return err
	}))
	if committing && pgfault.Code(err) == "" && !errors.Is(err, pgx.ErrTxCommitRollback) {
		return kith.MaybeDone(err)
	}
	return err
}

// Classify converts the error of a statement to an error kind.
func Classify(err error) error { return pgfault.Classify(err) }

// UseKeys sets the keys for hashing the marks of erased people and the entries of the audit. They must always be the
// same, because hashes of the marks are all that identifies erased people. Call it before the store is used.
func (db *DB) UseKeys(ring keys.Ring) (err error) {
	db.suppressionKey = ring.Suppression
	db.auditKey, err = ring.AuditKey()
	return err
}
