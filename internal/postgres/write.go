package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kith"
	"kith/internal/record"
	"kith/internal/record/indexer"
)

// DB has the records and the queue of the indexer.
var (
	_ indexer.Records = (*DB)(nil)
	_ indexer.Source  = (*DB)(nil)
)

// outboxChannel is the notification channel; the payload is the schema whose queue has grown.
const outboxChannel = "kith_outbox"

// Write runs f in one transaction. Writers of a schema are serialised, so that versions and queue numbers rise in the
// order of commits, rules can read before they write, and deadlocks cannot occur. It costs nothing on one machine,
// where a single writer keeps Postgres busy.
func (db *DB) Write(ctx context.Context, o record.Origin, f func(ctx context.Context, tx record.Tx) error) error {
	if err := o.Check(); err != nil {
		return err
	}
	// Wait for this process's writer without holding a connection: many waiters would leave none for others.
	if err := db.writing.Acquire(ctx, 1); err != nil {
		return err
	}
	defer db.writing.Release(1)
	// The writer skips the fair limiter, because all other writers wait for it.
	return Refused(db.begin(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil {
			return err
		}
		if err := db.lockInTx(ctx, tx, "write"); err != nil {
			return err
		}
		w := &writeTx{db: db, tx: tx, origin: o, owner: o.Owner()}
		if err := f(ctx, w); err != nil {
			return err
		}
		if !w.queued {
			return nil
		}
		_, err := tx.Exec(ctx, "select pg_notify($1, $2)", outboxChannel, db.schema)
		return err
	}))
}

// Refused marks errors about a value: data exceptions, broken constraints, and limits such as the size of an index row.
func Refused(err error) error {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || len(pgErr.Code) < 2 {
		return err
	}
	switch pgErr.Code[:2] {
	case "22", "23", "54":
		return &kith.Error{
			Kind: kith.Invalid, Code: "RECORD_REFUSED",
			Detail: "the database cannot store this record: " + pgErr.Message, Cause: err,
		}
	}
	return err
}

// writeTx is a write transaction.
type writeTx struct {
	db *DB
	tx pgx.Tx
	// queued is true once the outbox has grown.
	queued bool
	origin record.Origin
	// owner is the owner of the records written.
	owner string
}

// enqueue queues changed records for the index.
func (w *writeTx) enqueue(ctx context.Context, kind record.Kind, ids []int64) error {
	return w.enqueueAs(ctx, kind, ids, make([]bool, len(ids)))
}

// enqueueAs also records which of them were stored for the first time.
func (w *writeTx) enqueueAs(ctx context.Context, kind record.Kind, ids []int64, fresh []bool) error {
	if len(ids) == 0 {
		return nil
	}
	w.queued = true
	return Exec(ctx, w.tx, fmt.Sprintf("queue %s", kind),
		"insert into outbox (kind, id, fresh) select $1, id, fresh from unnest($2::bigint[], $3::bool[]) as n (id, fresh)",
		int16(kind), ids, fresh)
}

// NewIDs implements [record.Tx].
func (w *writeTx) NewIDs(ctx context.Context, kind record.Kind, n int, above int64) ([]int64, error) {
	seq := sequence(kind)
	// The last value of a new sequence is 1 before it has been used, so an equal number is set too.
	_, err := w.tx.Exec(ctx, "select setval($1::regclass, $2) where $2 >= (select last_value from "+seq+")", seq, above)
	if err != nil || n == 0 {
		return nil, err
	}
	return Collect(ctx, w.tx, "new ids", pgx.RowTo[int64], "select nextval($1::regclass) from generate_series(1, $2)", seq,
		n)
}

func sequence(kind record.Kind) string {
	if kind == record.Companies {
		return "company_id"
	}
	return "person_id"
}

func table(kind record.Kind) string {
	if kind == record.Companies {
		return "companies"
	}
	return "people"
}

// hashes returns the hashes of the stored records among ids, and which of them belong to an owner other than the
// writer.
func (w *writeTx) hashes(ctx context.Context, kind record.Kind, ids []int64) (
	known map[int64]string, others map[int64]bool, err error,
) {
	known, others = map[int64]string{}, map[int64]bool{}
	var id int64
	var hash []byte
	var other bool
	err = forEach(ctx, w.tx, "hashes", []any{&id, &hash, &other}, func() error {
		if known[id] = string(hash); other {
			others[id] = true
		}
		return nil
	}, "select r.id, r.hash, r.owner <> $2 from unnest($1::bigint[]) k join "+table(kind)+" r on r.id = k", ids, w.owner)
	return known, others, err
}

// SetRanks implements [record.Tx].
func (w *writeTx) SetRanks(ctx context.Context, kind record.Kind, ranks map[int64]int64) error {
	var ids, values []int64
	for id, rank := range ranks {
		ids, values = append(ids, id), append(values, rank)
	}
	err := Exec(ctx, w.tx, fmt.Sprintf("rank %s", kind), `update `+table(kind)+` r
		set rank = n.rank, version = nextval('record_version')
		from unnest($1::bigint[], $2::bigint[]) as n (id, rank) where r.id = n.id`, ids, values)
	if err != nil {
		return err
	}
	return w.enqueue(ctx, kind, ids)
}
