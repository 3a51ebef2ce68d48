package conn

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/index/pgfault"
)

// connections is enough for the requests that a server lets work at once, sign-in, health checks, indexing and tasks.
const connections = 20

// pool is a connection pool, or a transaction of it. Code in a transaction must not ask the pool for another
// connection.
type pool struct {
	*pgxpool.Pool
	// unit has the transaction of all statements; nil if each has its own.
	unit *unit
}

// unit is a transaction across stores.
type unit struct {
	tx pgx.Tx
	// after is called after the commit.
	after []func()
}

// AfterCommit runs f after the commit of db's transaction, never after a rollback, and at once without one. It is for
// memory that mirrors the database.
func (db *DB) AfterCommit(f func()) {
	if u := db.pool.unit; u != nil {
		u.after = append(u.after, f)
		return
	}
	f()
}

// Exec implements Querier.
func (p *pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if u := p.unit; u != nil {
		return u.tx.Exec(ctx, sql, args...)
	}
	return p.Pool.Exec(ctx, sql, args...)
}

// Query implements Querier. It asks once more if the statement reads and Postgres resets the connection before the
// first row.
func (p *pool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if u := p.unit; u != nil {
		return u.tx.Query(ctx, sql, args...)
	}
	found, err := p.first(ctx, sql, args)
	if isRead(sql) && pgfault.IsReset(err) {
		p.Reset()
		return p.first(ctx, sql, args)
	}
	return found, err
}

// first runs a query up to its first row.
func (p *pool) first(ctx context.Context, sql string, args []any) (pgx.Rows, error) {
	found, err := p.Pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	out := &rows{Rows: found, ahead: true, more: found.Next()}
	if err := found.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// isRead reports whether a statement outside of a transaction changes nothing: none of ours calls a function that does.
func isRead(sql string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(sql)), "select")
}

// QueryRow implements Querier.
func (p *pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if u := p.unit; u != nil {
		return u.tx.QueryRow(ctx, sql, args...)
	}
	return row(func(into []any) error {
		err := p.Pool.QueryRow(ctx, sql, args...).Scan(into...)
		if isRead(sql) && pgfault.IsReset(err) {
			p.Reset()
			err = p.Pool.QueryRow(ctx, sql, args...).Scan(into...)
		}
		return err
	})
}

// rows are those of a query that has run up to its first row.
type rows struct {
	pgx.Rows
	// ahead is true if the first row was requested; more is then whether there is one.
	ahead, more bool
}

// Next implements [pgx.Rows].
func (r *rows) Next() bool {
	if r.ahead {
		r.ahead = false
		return r.more
	}
	return r.Rows.Next()
}

// row runs its query when scanned.
type row func(into []any) error

// Scan implements [pgx.Row].
func (r row) Scan(into ...any) error { return r(into) }
