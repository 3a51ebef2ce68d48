package record

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/indexer"
)

var _ indexer.Records = (*Store)(nil)

// outboxChannel is the notification channel; the payload is the schema whose queue has grown.
const outboxChannel = "kith_outbox"

// Write implements [record.Store]. See [Store.InWriteTx].
func (db *Store) Write(ctx context.Context, o record.Origin, f func(ctx context.Context, tx record.Tx) error) error {
	return db.InWriteTx(ctx, o, func(ctx context.Context, w *WriteTx) error { return f(ctx, w) })
}

// InWriteTx runs f in one transaction. Writers of a schema are serialised, so that versions and queue numbers rise in
// the order of commits, rules can read before they write, and deadlocks cannot occur. It costs nothing on one machine,
// where a single writer keeps Postgres busy.
func (db *Store) InWriteTx(ctx context.Context, o record.Origin,
	f func(ctx context.Context, w *WriteTx) error,
) error {
	if err := o.Check(); err != nil {
		return err
	}
	// Wait for this process's writer without holding a connection: many waiters would leave none for others.
	if err := db.writing.Acquire(ctx, 1); err != nil {
		return err
	}
	defer db.writing.Release(1)
	return conn.Refused(db.Begin(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil {
			return err
		}
		if err := db.LockInTx(ctx, tx, "write"); err != nil {
			return err
		}
		w := &WriteTx{db: db, Tx: tx, origin: o, Owner: o.Owner()}
		if err := f(ctx, w); err != nil {
			return err
		}
		if !w.queued {
			return nil
		}
		_, err := tx.Exec(ctx, "select pg_notify($1, $2)", outboxChannel, db.Schema())
		return err
	}))
}

// WriteTx is a write transaction.
type WriteTx struct {
	db *Store
	Tx pgx.Tx
	// queued is true once the outbox has grown.
	queued bool
	origin record.Origin
	// Owner is the owner of the records written.
	Owner string
}

// Enqueue queues changed records for the index.
func (w *WriteTx) Enqueue(ctx context.Context, kind record.Kind, ids []int64) error {
	return w.enqueueAs(ctx, kind, ids, make([]bool, len(ids)))
}

// enqueueAs also records which of them were stored for the first time.
func (w *WriteTx) enqueueAs(ctx context.Context, kind record.Kind, ids []int64, fresh []bool) error {
	if len(ids) == 0 {
		return nil
	}
	w.queued = true
	return conn.Exec(ctx, w.Tx, fmt.Sprintf("queue %s", kind),
		"insert into outbox (kind, id, fresh) select $1, id, fresh from unnest($2::bigint[], $3::bool[]) as n (id, "+
			"fresh)", int16(kind), ids, fresh)
}

// NoteDeleted records that records were deleted, and queues the change for the index.
func (w *WriteTx) NoteDeleted(ctx context.Context, kind record.Kind, ids []int64) error {
	err := conn.Exec(ctx, w.Tx, fmt.Sprintf("deleted %s", kind), `insert into deleted (kind, id)
		select $1, unnest($2::bigint[]) on conflict (kind, id) do update set deleted_at = now()`, int16(kind), ids)
	if err != nil {
		return err
	}
	return w.Enqueue(ctx, kind, ids)
}

// copyRows inserts rows into a table.
func copyRows(ctx context.Context, tx pgx.Tx, table string, rows [][]any, columns ...string) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
	return conn.Named(table, err)
}

func table(kind record.Kind) string {
	if kind == record.Companies {
		return "companies"
	}
	return "people"
}

// values are a row and what is stored of its record.
type values[R any] struct {
	row *R
	encoded
}

// divide returns the new and the changed rows, without the suppressed ones, and sets their outcomes.
func divide[R any](ctx context.Context, w *WriteTx, kind record.Kind, rows []R, outcomes []record.Outcome,
	id func(R) int64, encode func(R) (encoded, error),
) (created, changed []values[R], err error) {
	ids := make([]int64, len(rows))
	for i, r := range rows {
		ids[i] = id(r)
	}
	known, others, err := w.hashes(ctx, kind, ids)
	if err != nil {
		return nil, nil, err
	}
	for i, r := range rows {
		if outcomes[i] == record.Suppressed {
			continue
		}
		v := values[R]{row: &rows[i]}
		if v.encoded, err = encode(r); err != nil {
			return nil, nil, err
		}
		hash, stored := known[ids[i]]
		switch {
		case !stored:
			outcomes[i], created = record.Created, append(created, v)
		case others[ids[i]] && w.Owner != record.Everyone: // records of everyone stay unchanged
		case hash != string(v.hash) || others[ids[i]]:
			outcomes[i], changed = record.Changed, append(changed, v)
		}
	}
	return created, changed, nil
}

// hashes returns the hashes of the stored records among ids, and which of them belong to an owner other than the
// writer.
func (w *WriteTx) hashes(ctx context.Context, kind record.Kind, ids []int64) (
	known map[int64]string, others map[int64]bool, err error,
) {
	known, others = map[int64]string{}, map[int64]bool{}
	var id int64
	var hash []byte
	var other bool
	err = conn.ForEach(ctx, w.Tx, "hashes", []any{&id, &hash, &other}, func() error {
		if known[id] = string(hash); other {
			others[id] = true
		}
		return nil
	}, "select r.id, r.hash, r.owner <> $2 from unnest($1::bigint[]) k join "+table(kind)+" r on r.id = k", ids,
		w.Owner)
	return known, others, err
}

// SetRanks implements [record.Tx].
func (w *WriteTx) SetRanks(ctx context.Context, kind record.Kind, ranks map[int64]int64) error {
	var ids, values []int64
	for id, rank := range ranks {
		ids, values = append(ids, id), append(values, rank)
	}
	err := conn.Exec(ctx, w.Tx, fmt.Sprintf("rank %s", kind), `update `+table(kind)+` r
		set rank = n.rank, version = nextval('record_version')
		from unnest($1::bigint[], $2::bigint[]) as n (id, rank) where r.id = n.id`, ids, values)
	if err != nil {
		return err
	}
	return w.Enqueue(ctx, kind, ids)
}

// markSuppressed marks rows of people who must not be stored, because one of their profiles or addresses is suppressed.
func (w *WriteTx) markSuppressed(ctx context.Context, rows []record.PersonRow, outcomes []record.Outcome) error {
	s, err := access.ReadSuppression(ctx, w.db.DB, w.Tx)
	if err != nil || !s.Anyone {
		return err
	}
	var hashes [][]byte
	var of []int
	add := func(i int, hash []byte) { hashes, of = append(hashes, hash), append(of, i) }
	for i, r := range rows {
		for _, profile := range append([]string{r.SocialKey}, r.Profiles...) {
			add(i, s.Profile(profile))
		}
		for _, address := range r.Person.Addresses() {
			add(i, s.Email(address))
		}
	}
	stored, err := access.StoredHashes(ctx, w.Tx, hashes)
	for k, hash := range hashes {
		if stored[string(hash)] {
			outcomes[of[k]] = record.Suppressed
		}
	}
	return err
}
