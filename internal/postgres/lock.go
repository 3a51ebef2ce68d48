package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// lockClass sets kith's advisory locks apart from those of other programs in
// the same database.
const lockClass = 0x6b697468

// Lock waits for the named lock of this directory and returns the function
// that gives it back. Across all processes one holder has it at a time; the
// lock of a process that dies is given back by Postgres.
func (db *DB) Lock(ctx context.Context, name string) (release func(), err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, away(err))
	}
	// Waiting may take as long as the holder works.
	_, err = conn.Exec(ctx, "set statement_timeout = 0")
	if err == nil {
		_, err = conn.Exec(ctx, "select pg_advisory_lock($1, hashtext($2))", lockClass, db.lockName(name))
	}
	if err != nil {
		drop(conn)
		return nil, fmt.Errorf("lock %s: %w", name, away(err))
	}
	return func() { drop(conn) }, nil
}

// TryLock is [DB.Lock] without waiting: ok is false where someone else has it.
func (db *DB) TryLock(ctx context.Context, name string) (release func(), ok bool, err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", name, away(err))
	}
	err = conn.QueryRow(ctx, "select pg_try_advisory_lock($1, hashtext($2))", lockClass, db.lockName(name)).Scan(&ok)
	if err != nil {
		drop(conn)
		return nil, false, fmt.Errorf("lock %s: %w", name, away(err))
	}
	if !ok {
		conn.Release()
		return nil, false, nil
	}
	return func() { drop(conn) }, true, nil
}

func (db *DB) lockName(name string) string { return db.schema + ":" + name }

// drop closes a connection instead of giving it back to the pool: that frees
// its session locks whatever state it is in.
func drop(conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Hijack().Close(ctx)
}
