package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/index/turns"
)

// Some connections are reserved for work outside of signed-in requests: sign-in itself, health checks, indexing, jobs.
// One user gets only some of the others.
const (
	connections = 20
	keptFree    = 8
)

// pool is a connection pool with a fair limiter (turns) between users, per statement and transaction. Code in a
// transaction must not ask the pool for another connection.
type pool struct {
	*pgxpool.Pool
	turns *turns.Turns
}

// unitKey is the context key of a pool's transaction; see [DB.inUnit].
type unitKey struct{ pool *pool }

// unit returns the transaction of the context; nil if it has none.
func (p *pool) unit(ctx context.Context) pgx.Tx {
	tx, _ := ctx.Value(unitKey{p}).(pgx.Tx)
	return tx
}

// inTurn runs f on the user's turn.
func (p *pool) inTurn(ctx context.Context, f func() error) error {
	_, err := turns.In(ctx, p.turns, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

// Exec implements Querier.
func (p *pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if tx := p.unit(ctx); tx != nil {
		return tx.Exec(ctx, sql, args...)
	}
	return turns.In(ctx, p.turns, func() (pgconn.CommandTag, error) { return p.Pool.Exec(ctx, sql, args...) })
}

// Query implements Querier. Closing the rows ends the turn.
func (p *pool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if tx := p.unit(ctx); tx != nil {
		return tx.Query(ctx, sql, args...)
	}
	turn, err := p.turns.Take(ctx)
	if err != nil {
		return nil, err
	}
	found, err := p.Pool.Query(ctx, sql, args...)
	if err != nil {
		turn.GiveBack()
		return nil, err
	}
	return &rows{Rows: found, turn: turn}, nil
}

// QueryRow implements Querier.
func (p *pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if tx := p.unit(ctx); tx != nil {
		return tx.QueryRow(ctx, sql, args...)
	}
	return row(func(into []any) error {
		return p.inTurn(ctx, func() error { return p.Pool.QueryRow(ctx, sql, args...).Scan(into...) })
	})
}

// rows end their turn when closed, which happens automatically after the last row.
type rows struct {
	pgx.Rows
	turn turns.Turn
}

// Next implements [pgx.Rows].
func (r *rows) Next() bool {
	more := r.Rows.Next()
	if !more {
		r.Close()
	}
	return more
}

// Close implements [pgx.Rows].
func (r *rows) Close() {
	r.Rows.Close()
	r.turn.GiveBack()
	r.turn = turns.Turn{}
}

// row runs its query when scanned.
type row func(into []any) error

// Scan implements [pgx.Row].
func (r row) Scan(into ...any) error { return r(into) }
