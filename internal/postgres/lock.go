package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// lockClass sets kith's advisory locks apart from those of other programs in
// the same database.
const lockClass = 0x6b697468

// lockPoll is how often a lock that is waited for is tried.
const lockPoll = 10 * time.Millisecond

// Lock waits for the named lock of this directory and returns the function
// that gives it back. Across all processes one holder has it at a time, and
// one that gives it back and wants it again comes after who waited; the lock of
// a process that dies is given back by Postgres.
//
// Waiting is trying again. A statement that waits in Postgres keeps a snapshot,
// and what the holder does may wait for all older snapshots to go, as CREATE
// INDEX CONCURRENTLY does: each would wait for the other.
func (db *DB) Lock(ctx context.Context, name string) (release func(), err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, classify(err))
	}
	// Who waits holds the turn, so that no one else can be next.
	turn, lock := db.lockName(name)+":turn", db.lockName(name)
	if err = awaitLock(ctx, conn, turn); err == nil {
		err = awaitLock(ctx, conn, lock)
	}
	if err == nil {
		_, err = conn.Exec(ctx, "select pg_advisory_unlock($1, hashtext($2))", lockClass, turn)
	}
	if err != nil {
		drop(conn)
		return nil, fmt.Errorf("lock %s: %w", name, classify(err))
	}
	return func() { drop(conn) }, nil
}

// awaitLock tries a lock until the connection has it.
func awaitLock(ctx context.Context, conn *pgxpool.Conn, name string) error {
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for {
		ok, err := tryLock(ctx, conn, name)
		if ok || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func tryLock(ctx context.Context, conn *pgxpool.Conn, name string) (ok bool, err error) {
	err = conn.QueryRow(ctx, "select pg_try_advisory_lock($1, hashtext($2))", lockClass, name).Scan(&ok)
	return ok, err
}

// TryLock is [DB.Lock] without waiting: ok is false where someone else has it.
func (db *DB) TryLock(ctx context.Context, name string) (release func(), ok bool, err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", name, classify(err))
	}
	ok, err = tryLock(ctx, conn, db.lockName(name))
	if err != nil {
		drop(conn)
		return nil, false, fmt.Errorf("lock %s: %w", name, classify(err))
	}
	if !ok {
		conn.Release()
		return nil, false, nil
	}
	return func() { drop(conn) }, true, nil
}

// lockPeople is the lock that deletions of people have, and whoever names people
// shares: imports of relationships, and changes of leads.
const lockPeople = "people"

// lockInTx waits for the named lock of this directory and keeps it until the
// transaction ends.
func (db *DB) lockInTx(ctx context.Context, tx pgx.Tx, name string) error {
	return exec(ctx, tx, "lock "+name, "select pg_advisory_xact_lock($1, hashtext($2))", lockClass, db.lockName(name))
}

func (db *DB) lockName(name string) string { return db.schema + ":" + name }

// drop gives the session locks of a connection back and closes it, instead of giving
// it to the pool: that frees them whatever state it is in, but only when Postgres
// notices, and whoever wants them next may ask before.
func drop(conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	own := conn.Hijack()
	_, _ = own.Exec(ctx, "select pg_advisory_unlock_all()") // what fails here is done by closing
	_ = own.Close(ctx)
}
