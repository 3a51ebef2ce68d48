// Package postgres stores everything that must not be lost: records of people and companies, the queue of index writes,
// settings, and the data of the domains. Its only rules are those of transactions. One [DB] serves one dataset in one
// schema, so table names are never qualified. Each domain has a store over the DB.
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
	"kith/index/fair"
	"kith/index/pgfault"
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

// DB is the connection pool of one dataset. It is safe for concurrent use. [pgfault.Classify] classifies the errors of
// its stores.
type DB struct {
	pool   *pool
	schema string

	companies companyCache
	reads     auditQueue
	// suppressionKey and auditKey are set once: see [DB.UseKeys].
	suppressionKey, auditKey []byte

	// writing is held by the process's only writer: see [DB.Write].
	writing *semaphore.Weighted

	// listener receives notifications of queued entries; nil until the first [DB.Wait].
	listening sync.Mutex
	listener  *pgxpool.Conn
}

// Open creates the pool and checks that Postgres answers. It changes nothing in the database: see [DB.Migrate].
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
	db.pool = &pool{all, fair.New(users, users*2/3)}
	if err := db.Ping(ctx); err != nil {
		db.pool.Close()
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
	cfg.ConnConfig.ConnectTimeout = 5 * time.Second
	params := cfg.ConnConfig.RuntimeParams
	params["search_path"] = pgx.Identifier{schema}.Sanitize()
	params["application_name"] = cmp.Or(opts.Name, "kith")
	params["timezone"] = "UTC"
	// Compiling a statement takes longer than running any of ours.
	params["jit"] = "off"
	// A statement or transaction that takes longer is stuck: better an error than locks held forever.
	setDefault(params, "statement_timeout", "120s")
	setDefault(params, "idle_in_transaction_session_timeout", "120s")
	// The role may have shorter ones for interactive use. Here, listeners and lock holders are idle for long, and others
	// wait for those locks.
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

// Close waits for connections in use and closes them. No call of [DB.Wait] may be under way.
func (db *DB) Close() {
	db.listening.Lock()
	if db.listener != nil {
		drop(db.listener)
		db.listener = nil
	}
	db.listening.Unlock()
	db.pool.Close()
}

// Schema is the schema with the tables of this dataset.
func (db *DB) Schema() string { return db.schema }

// Pool is the underlying pool, for the search engine that keeps its tables in the same schema. It belongs to db: do not
// close it.
func (db *DB) Pool() *pgxpool.Pool { return db.pool.Pool }

// Querier is the pool with the fair limiter, for single statements. In a unit of ctx they are part of its transaction.
func (db *DB) Querier() Querier { return db.pool }

// Limiter is the fair limiter that users of [DB.Pool] must pass first.
func (db *DB) Limiter() *fair.Limiter { return db.pool.limiter }

// ServerVersion returns the version of the server, such as "17.2".
func (db *DB) ServerVersion(ctx context.Context) (string, error) {
	return Value[string](ctx, db.pool, "postgres", "show server_version")
}

// Ping returns nil when Postgres answers.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.pool.Ping(ctx); err != nil {
		return fmt.Errorf("postgres: %w", classify(err))
	}
	return nil
}

// InTx runs f in one transaction and rolls back if f fails. If the outcome of the commit is unknown, the error is a
// [kith.ErrMaybeDone].
func (db *DB) InTx(ctx context.Context, f func(pgx.Tx) error) error {
	return db.inTxWith(ctx, pgx.TxOptions{}, f)
}

// inSnapshot is [DB.InTx] for reading: all statements see the same snapshot.
func (db *DB) inSnapshot(ctx context.Context, f func(pgx.Tx) error) error {
	return db.inTxWith(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, f)
}

func (db *DB) inTxWith(ctx context.Context, opts pgx.TxOptions, f func(pgx.Tx) error) error {
	if db.pool.unit(ctx) != nil {
		return db.begin(ctx, opts, f)
	}
	return db.pool.limited(ctx, func() error { return db.begin(ctx, opts, f) })
}

// inUnit is [DB.InTx] across domains: everything their stores do with f's context is part of this transaction, with
// their own transactions as savepoints. Two goroutines must not use that context concurrently.
func (db *DB) inUnit(ctx context.Context, f func(context.Context, pgx.Tx) error) error {
	var u *unit
	err := db.InTx(ctx, func(tx pgx.Tx) error {
		ctx, u = db.pool.withUnit(ctx, tx)
		return f(ctx, tx)
	})
	if err != nil {
		return err
	}
	for _, after := range u.after {
		after()
	}
	return nil
}

// begin is [DB.inTxWith] without the limiter. Inside a unit, which decides the commit and the isolation level, it makes
// a savepoint.
func (db *DB) begin(ctx context.Context, opts pgx.TxOptions, f func(pgx.Tx) error) error {
	if u := db.pool.unit(ctx); u != nil {
		return classify(pgx.BeginFunc(ctx, u.tx, f))
	}
	committing := false
	err := classify(pgx.BeginTxFunc(ctx, db.pool, opts, func(tx pgx.Tx) error {
		err := f(tx)
		committing = err == nil
		return err
	}))
	if committing && pgfault.Code(err) == "" && !errors.Is(err, pgx.ErrTxCommitRollback) {
		return kith.MaybeDone(err)
	}
	return err
}

// classify converts the error of a statement to an error kind.
func classify(err error) error { return pgfault.Classify(err) }
