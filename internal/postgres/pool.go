package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/index/turns"
)

// Of the connections of a pool some are left for what nobody signs in for: sign-in
// itself, health, the indexing of records, jobs. One user has no more than some of the
// others.
const (
	connections = 20
	keptFree    = 8
)

// pool are connections that users take turns at, one for each statement and each
// transaction. What runs within a transaction must not ask the pool for another.
type pool struct {
	*pgxpool.Pool
	turns *turns.Turns
}

// unitKey finds the transaction of a pool in a context; see [DB.inUnit].
type unitKey struct{ pool *pool }

// unit is the transaction that the context belongs to, nil where it has none.
func (p *pool) unit(ctx context.Context) pgx.Tx {
	tx, _ := ctx.Value(unitKey{p}).(pgx.Tx)
	return tx
}

// inTurn runs f when it is the user's turn.
func (p *pool) inTurn(ctx context.Context, f func() error) error {
	_, err := turns.In(ctx, p.turns, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

// Exec implements querier.
func (p *pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if tx := p.unit(ctx); tx != nil {
		return tx.Exec(ctx, sql, args...)
	}
	return turns.In(ctx, p.turns, func() (pgconn.CommandTag, error) { return p.Pool.Exec(ctx, sql, args...) })
}

// Query implements querier. The turn ends with the rows.
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

// QueryRow implements querier.
func (p *pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if tx := p.unit(ctx); tx != nil {
		return tx.QueryRow(ctx, sql, args...)
	}
	return row(func(into []any) error {
		return p.inTurn(ctx, func() error { return p.Pool.QueryRow(ctx, sql, args...).Scan(into...) })
	})
}

// rows give their turn back when they are closed, which they are behind the last.
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

// row is asked for when it is scanned.
type row func(into []any) error

// Scan implements [pgx.Row].
func (r row) Scan(into ...any) error { return r(into) }
