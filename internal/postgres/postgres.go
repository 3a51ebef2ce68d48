// Package postgres stores everything that must not be lost: records of people and companies,
// the queue of index writes, settings, and the data of the domains. Its only rules are those of
// transactions. One [DB] serves one dataset in one schema, so table names are never qualified.
// Each domain has a store over the DB.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/semaphore"

	"kith"
	"kith/index/pgfault"
	"kith/index/turns"
)

// Options say how a database is opened.
type Options struct {
	// Schema holds every table of the directory; empty is "kith".
	Schema string
	// MaxConns bounds the pool; 0 is 20. Each listener and each held lock
	// takes one connection for as long as it lasts.
	MaxConns int
	// Name is shown as application_name in pg_stat_activity; empty is "kith".
	Name string
}

// DB is the pool of connections to one directory. It is safe for concurrent
// use. Errors of its stores are sorted by [pgfault.Classify].
type DB struct {
	pool   *pool
	schema string

	companies companyCache
	reads     auditQueue
	// suppressionKey is set once: see [DB.UseSuppressionKey].
	suppressionKey []byte

	// writing is held by the one writer of this process: see [DB.Write].
	writing *semaphore.Weighted

	// listener hears of what is queued; nil until the first [DB.Wait].
	listening sync.Mutex
	listener  *pgxpool.Conn
}

// Open makes the pool and checks that Postgres answers. It changes nothing in
// the database: see [DB.Migrate].
func Open(ctx context.Context, dsn string, opts Options) (*DB, error) {
	cfg, err := parse(dsn)
	if err != nil {
		return nil, err
	}
	db := &DB{schema: cmp.Or(opts.Schema, "kith"), writing: semaphore.NewWeighted(1)}
	configure(cfg, db.schema, opts)
	all, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", classify(err))
	}
	users := max(2, int(cfg.MaxConns)-keptFree)
	db.pool = &pool{all, turns.New(users, users*2/3)}
	if err := db.Ping(ctx); err != nil {
		db.pool.Close()
		return nil, err
	}
	return db, nil
}

// CheckAddress says whether a database address can be read, without connecting to it.
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

// configure sets what every connection of the pool shares.
func configure(cfg *pgxpool.Config, schema string, opts Options) {
	cfg.MaxConns = connections
	if opts.MaxConns > 0 {
		cfg.MaxConns = int32(opts.MaxConns)
	}
	cfg.MaxConnIdleTime = 5 * time.Minute
	cfg.ConnConfig.ConnectTimeout = 5 * time.Second
	params := cfg.ConnConfig.RuntimeParams
	params["search_path"] = pgx.Identifier{schema}.Sanitize()
	params["application_name"] = cmp.Or(opts.Name, "kith")
	params["timezone"] = "UTC"
	// Compiling a statement takes longer than any of ours runs.
	params["jit"] = "off"
	// A statement or a transaction that outlives these is stuck: better an
	// error than locks held for ever.
	setDefault(params, "statement_timeout", "120s")
	setDefault(params, "idle_in_transaction_session_timeout", "120s")
	// The role may have shorter ones for people. Here, who listens or holds a lock is
	// idle for long, and whoever waits for that lock does.
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

// Close waits for connections in use and closes them. No call of [DB.Wait] may
// be under way.
func (db *DB) Close() {
	db.listening.Lock()
	if db.listener != nil {
		drop(db.listener)
		db.listener = nil
	}
	db.listening.Unlock()
	db.pool.Close()
}

// Schema is the schema that holds the tables of this directory.
func (db *DB) Schema() string { return db.schema }

// Remove drops the schema with all records in it. It is for directories that
// were made for a measurement.
func (db *DB) Remove(ctx context.Context) error {
	return exec(ctx, db.pool, "remove the directory", "drop schema "+pgx.Identifier{db.schema}.Sanitize()+" cascade")
}

// Pool is the pool itself, for the search engine that keeps its tables in the
// same schema. It belongs to db.
func (db *DB) Pool() *pgxpool.Pool { return db.pool.Pool }

// Turns are what users take before they use [DB.Pool].
func (db *DB) Turns() *turns.Turns { return db.pool.turns }

// ServerVersion is the version of the server, such as "17.2".
func (db *DB) ServerVersion(ctx context.Context) (string, error) {
	return value[string](ctx, db.pool, "postgres", "show server_version")
}

// Ping returns nil when Postgres answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.pool.Ping(ctx); err != nil {
		return fmt.Errorf("postgres: %w", classify(err))
	}
	return nil
}

// inTx runs f in one transaction, which is rolled back when f fails. Where Postgres
// did not say what became of the commit, the error is a [kith.ErrPerhapsDone].
func (db *DB) inTx(ctx context.Context, f func(pgx.Tx) error) error {
	return db.inTxWith(ctx, pgx.TxOptions{}, f)
}

// inSnapshot is [DB.inTx] for reading: all statements see the same moment.
func (db *DB) inSnapshot(ctx context.Context, f func(pgx.Tx) error) error {
	return db.inTxWith(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

func (db *DB) inTxWith(ctx context.Context, opts pgx.TxOptions, f func(pgx.Tx) error) error {
	if db.pool.unit(ctx) != nil {
		return db.begin(ctx, opts, f)
	}
	return db.pool.inTurn(ctx, func() error { return db.begin(ctx, opts, f) })
}

// inUnit is [DB.inTx] for work of several domains: whatever their stores do with the
// context of f belongs to the one transaction, in which their own transactions are
// savepoints. That context must not be used by two goroutines at once.
func (db *DB) inUnit(ctx context.Context, f func(context.Context, pgx.Tx) error) error {
	ctx, committed := kith.WithCommit(ctx)
	err := db.inTx(ctx, func(tx pgx.Tx) error { return f(context.WithValue(ctx, unitKey{db.pool}, tx), tx) })
	if err == nil {
		committed()
	}
	return err
}

// begin is [DB.inTxWith] out of turn. In a unit, which decides about the commit and
// the isolation, it makes a savepoint.
func (db *DB) begin(ctx context.Context, opts pgx.TxOptions, f func(pgx.Tx) error) error {
	if tx := db.pool.unit(ctx); tx != nil {
		return classify(pgx.BeginFunc(ctx, tx, f))
	}
	committing := false
	err := classify(pgx.BeginTxFunc(ctx, db.pool, opts, func(tx pgx.Tx) error {
		err := f(tx)
		committing = err == nil
		return err
	}))
	if committing && pgfault.Code(err) == "" && !errors.Is(err, pgx.ErrTxCommitRollback) {
		return kith.PerhapsDone(err)
	}
	return err
}

// classify sorts the error of a statement into the kinds that callers know.
func classify(err error) error { return pgfault.Classify(err) }
