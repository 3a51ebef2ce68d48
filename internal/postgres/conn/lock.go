package conn

import (
	"context"
	"fmt"
	"time"

	"kith"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// LockClass separates kith's advisory locks from those of other programs in the same database.
const LockClass = 0x6b697468

// lockPoll is the interval between attempts to get a lock.
const lockPoll = 10 * time.Millisecond

// Lock waits for the named lock of this dataset and returns the function that releases it. One holder in all processes
// has it at a time, and waiters come before a holder that wants it again. Postgres releases the lock of a process that
// dies.
//
// It waits by polling. A statement that waits in Postgres keeps a snapshot, and the holder may wait for all older
// snapshots to end, as CREATE INDEX CONCURRENTLY does: they would deadlock.
func (db *DB) Lock(ctx context.Context, name string) (release func(), err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, Classify(err))
	}
	// The waiter holds the turn lock, so that no one else can be next.
	turn, lock := db.lockName(name)+":turn", db.lockName(name)
	if err = awaitLock(ctx, conn, turn); err == nil {
		err = awaitLock(ctx, conn, lock)
	}
	if err == nil {
		_, err = conn.Exec(ctx, "select pg_advisory_unlock($1, hashtext($2))", LockClass, turn)
	}
	if err != nil {
		Drop(conn)
		return nil, fmt.Errorf("lock %s: %w", name, Classify(err))
	}
	return func() { Drop(conn) }, nil
}

// awaitLock polls a lock until the connection has it.
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
	err = conn.QueryRow(ctx, "select pg_try_advisory_lock($1, hashtext($2))", LockClass, name).Scan(&ok)
	return ok, err
}

// TryLock is [DB.Lock] without waiting: ok is false if someone else holds the lock.
func (db *DB) TryLock(ctx context.Context, name string) (release func(), ok bool, err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", name, Classify(err))
	}
	ok, err = tryLock(ctx, conn, db.lockName(name))
	if err != nil {
		Drop(conn)
		return nil, false, fmt.Errorf("lock %s: %w", name, Classify(err))
	}
	if !ok {
		conn.Release()
		return nil, false, nil
	}
	return func() { Drop(conn) }, true, nil
}

// LockPeople is held exclusively by deletions of people and new profiles of public records, and shared by transactions
// that refer to people: imports of relationships, and changes of leads.
const LockPeople = "people"

// LockInTx waits for the named lock of this dataset and holds it until the transaction ends.
func (db *DB) LockInTx(ctx context.Context, tx pgx.Tx, name string) error {
	return Exec(ctx, tx, "lock "+name, "select pg_advisory_xact_lock($1, hashtext($2))", LockClass, db.lockName(name))
}

func (db *DB) lockName(name string) string { return db.schema + ":" + name }

// Drop releases a connection's session locks and closes it, instead of returning it to the pool. Closing alone would
// also free the locks, but only once Postgres notices, and the next holder may ask before that.
func Drop(conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	own := conn.Hijack()
	_, _ = own.Exec(ctx, "select pg_advisory_unlock_all()") // on failure, closing releases them
	_ = own.Close(ctx)
}

// BlockDeletions prevents deletions of people until the transaction ends. Otherwise the two would deadlock:
// transactions that refer to people lock users first and then people, deletions the other way round. Take it before all
// other locks.
func (db *DB) BlockDeletions(ctx context.Context, tx pgx.Tx) error {
	return Exec(ctx, tx, "wait for deletions", "select pg_advisory_xact_lock_shared($1, hashtext($2))", LockClass,
		db.lockName(LockPeople))
}

// LockUser serialises changes of one user's data.
func LockUser(ctx context.Context, tx pgx.Tx, user int64) error {
	_, err := One(ctx, tx, "lock a user", NoUser(), pgx.RowTo[int64],
		"select id from users where id = $1 for update", user)
	return err
}

// NoUser is the error for a deleted user whose token still passed.
func NoUser() error {
	return kith.Errorf(kith.Unauthorized, "TOKEN_INVALID", "the user no longer exists; get a new token")
}

// InUsersTx runs f in a transaction that blocks deletions and locks a user's data.
func (db *DB) InUsersTx(ctx context.Context, user int64, what string, f func(tx pgx.Tx) error) error {
	return db.InTx(ctx, what, func(tx pgx.Tx) error {
		if err := db.BlockDeletions(ctx, tx); err != nil {
			return err
		}
		if err := LockUser(ctx, tx, user); err != nil {
			return err
		}
		return f(tx)
	})
}
