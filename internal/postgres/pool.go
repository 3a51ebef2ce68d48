package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/index/fair"
	"kith/index/pgfault"
)

// Some connections are reserved for work outside of signed-in requests: sign-in itself, health checks, indexing, tasks.
// One user gets only some of the others.
const (
	connections = 20
	keptFree    = 8
)

// pool is a connection pool with a fair limiter between users, per statement and transaction. Code in a
// transaction must not ask the pool for another connection.
type pool struct {
	*pgxpool.Pool
	limiter *fair.Limiter
}

// unitKey is the context key of a pool's unit; see [DB.inUnit].
type unitKey struct{ pool *pool }

// unit is a transaction across stores.
type unit struct {
	tx pgx.Tx
	// after is called after the commit.
	after []func()
}

// withUnit returns a context whose statements on the pool are part of a transaction.
func (p *pool) withUnit(ctx context.Context, tx pgx.Tx) (context.Context, *unit) {
	u := &unit{tx: tx}
	return context.WithValue(ctx, unitKey{p}, u), u
}

// unit returns the unit of the context; nil if it has none.
func (p *pool) unit(ctx context.Context) *unit {
	u, _ := ctx.Value(unitKey{p}).(*unit)
	return u
}

// AfterCommit runs f after the commit of ctx's unit, never after a rollback, and at once without a unit. It is for
// memory that mirrors the database.
func (db *DB) AfterCommit(ctx context.Context, f func()) {
	if u := db.pool.unit(ctx); u != nil {
		u.after = append(u.after, f)
		return
	}
	f()
}

// limited runs f in one of the user's slots.
func (p *pool) limited(ctx context.Context, f func() error) error {
	_, err := fair.Do(ctx, p.limiter, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

// Exec implements Querier.
func (p *pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if u := p.unit(ctx); u != nil {
		return u.tx.Exec(ctx, sql, args...)
	}
	return fair.Do(ctx, p.limiter, func() (pgconn.CommandTag, error) { return p.Pool.Exec(ctx, sql, args...) })
}

// Query implements Querier. Closing the rows releases the slot.
func (p *pool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if u := p.unit(ctx); u != nil {
		return u.tx.Query(ctx, sql, args...)
	}
	slot, err := p.limiter.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	found, err := p.begin(ctx, sql, args)
	if err != nil {
		slot.Release()
		return nil, err
	}
	found.slot = slot
	return found, nil
}

// begin runs a query up to its first row, and once more if it reads and Postgres resets the connection before that.
func (p *pool) begin(ctx context.Context, sql string, args []any) (*rows, error) {
	found, err := p.first(ctx, sql, args)
	if isRead(sql) && pgfault.IsReset(err) {
		p.Reset()
		return p.first(ctx, sql, args)
	}
	return found, err
}

func (p *pool) first(ctx context.Context, sql string, args []any) (*rows, error) {
	found, err := p.Pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	out := &rows{Rows: found, ahead: true, more: found.Next()}
	return out, found.Err()
}

// isRead reports whether a statement outside of a transaction changes nothing: none of ours calls a function that does.
func isRead(sql string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(sql)), "select")
}

// QueryRow implements Querier.
func (p *pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if u := p.unit(ctx); u != nil {
		return u.tx.QueryRow(ctx, sql, args...)
	}
	return row(func(into []any) error {
		return p.limited(ctx, func() error {
			err := p.Pool.QueryRow(ctx, sql, args...).Scan(into...)
			if isRead(sql) && pgfault.IsReset(err) {
				p.Reset()
				err = p.Pool.QueryRow(ctx, sql, args...).Scan(into...)
			}
			return err
		})
	})
}

// rows release their slot when closed, which happens automatically after the last row.
type rows struct {
	pgx.Rows
	// ahead is true if the first row was requested; more is then whether there is one.
	ahead, more bool
	slot        fair.Slot
}

// Next implements [pgx.Rows].
func (r *rows) Next() bool {
	more := r.more
	if !r.ahead {
		more = r.Rows.Next()
	}
	r.ahead = false
	if !more {
		r.Close()
	}
	return more
}

// Close implements [pgx.Rows].
func (r *rows) Close() {
	r.Rows.Close()
	r.slot.Release()
	r.slot = fair.Slot{}
}

// row runs its query when scanned.
type row func(into []any) error

// Scan implements [pgx.Row].
func (r row) Scan(into ...any) error { return r(into) }
