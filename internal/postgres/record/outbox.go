package record

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/indexer"
)

// pageBytes is the most stored bytes of the records on a page. Processing takes ten times as much memory, and a single
// record may have a million bytes, as many as a thousand usual ones together.
const pageBytes = 8 << 20

// Take implements [indexer.Outbox].
func (db Queue) Take(ctx context.Context, above int64, n int) ([]indexer.Entry, error) {
	return conn.Collect(ctx, db.Querier(), "outbox", pgx.RowToStructByPos[indexer.Entry],
		`select seq, kind, id, fresh from (
			select seq, kind, id, fresh, sum(size) over (order by seq) - size as before from (
				select seq, kind, id, fresh, coalesce(case kind when $4
					then (select `+recordSize(record.People, "p")+` from people p where p.id = o.id)
					else (select `+recordSize(record.Companies, "c")+` from companies c
					where c.id = o.id) end, 0) as size
				from outbox o where seq > $1 order by seq limit $2) n) n
		where before < $3 order by seq`, above, n, pageBytes, int16(record.People))
}

// Done implements [indexer.Outbox].
func (db Queue) Done(ctx context.Context, entries []indexer.Entry, refused []indexer.Refusal,
	terms []indexer.RecordTerms,
) error {
	return db.InTx(ctx, "outbox", func(tx pgx.Tx) error {
		// Lock the vocabulary before the queue, like transactions that swap the vocabulary.
		if err := Vocabulary(db).lockVocabulary(ctx, tx); err != nil {
			return err
		}
		taken, err := db.remove(ctx, tx, entries)
		if err != nil {
			return err
		}
		if err := addTerms(ctx, tx, withoutFresh(terms, taken)); err != nil {
			return err
		}
		return tx.SendBatch(ctx, doneBatch(entries, refused)).Close()
	})
}

// remove deletes entries from the queue. Entries already deleted by another drainer are queued again and returned.
func (db Queue) remove(ctx context.Context, tx pgx.Tx, entries []indexer.Entry) (taken []indexer.Entry, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	seqs := make([]int64, len(entries))
	for i, e := range entries {
		seqs[i] = e.Seq
	}
	had, err := conn.Collect(ctx, tx, "outbox", pgx.RowTo[int64],
		"delete from outbox where seq = any($1) returning seq", seqs)
	if err != nil || len(had) == len(entries) {
		return nil, err
	}
	slices.Sort(had)
	batch := &pgx.Batch{}
	for _, e := range entries {
		if _, mine := slices.BinarySearch(had, e.Seq); !mine {
			taken = append(taken, e)
			batch.Queue("insert into outbox (kind, id) values ($1, $2)", int16(e.Kind), e.ID)
		}
	}
	batch.Queue("select pg_notify($1, $2)", outboxChannel, db.Schema())
	return taken, tx.SendBatch(ctx, batch).Close()
}

// withoutFresh marks the records of entries taken by another drainer as already counted.
func withoutFresh(terms []indexer.RecordTerms, taken []indexer.Entry) []indexer.RecordTerms {
	if len(taken) == 0 {
		return terms
	}
	terms = slices.Clone(terms)
	for i, h := range terms {
		if slices.ContainsFunc(taken, func(e indexer.Entry) bool { return e.Kind == h.Kind && e.ID == h.ID }) {
			terms[i].Fresh = false
		}
	}
	return terms
}

func doneBatch(entries []indexer.Entry, refused []indexer.Refusal) *pgx.Batch {
	ids, kinds := make([]int64, len(entries)), make([]int16, len(entries))
	for i, e := range entries {
		ids[i], kinds[i] = e.ID, int16(e.Kind)
	}
	batch := &pgx.Batch{}
	batch.Queue(`delete from outbox_failed f using unnest($1::smallint[], $2::bigint[]) as n (kind, id)
		where f.kind = n.kind and f.id = n.id`, kinds, ids)
	for _, r := range refused {
		batch.Queue(`insert into outbox_failed (kind, id, reason) values ($1, $2, $3)
			on conflict (kind, id) do update set reason = excluded.reason,
			failed_at = now()`, int16(r.Kind), r.ID, r.Reason)
	}
	return batch
}

// Last implements [indexer.Outbox].
func (db Queue) Last(ctx context.Context) (int64, error) {
	return conn.Value[int64](ctx, db.Querier(), "outbox", "select coalesce(max(seq), 0) from outbox")
}

// Backlog implements [indexer.Outbox].
func (db Queue) Backlog(ctx context.Context, upTo int64) (int64, error) {
	return conn.Value[int64](ctx, db.Querier(), "outbox", "select count(*) from outbox where seq <= $1", upTo)
}

// Wait implements [indexer.Outbox]. A listener keeps one pool connection between calls, so that no notification in
// between is lost.
func (db Queue) Wait(ctx context.Context) error {
	db.listening.Lock()
	defer db.listening.Unlock()
	if db.listener == nil {
		listener, err := db.listen(ctx)
		if err != nil {
			return conn.Named("listen", err)
		}
		// Return, so that the caller finds entries queued before the listener started.
		db.listener = listener
		return nil
	}
	for {
		note, err := db.listener.Conn().WaitForNotification(ctx)
		if err != nil {
			if ctx.Err() == nil || db.listener.Conn().IsClosed() {
				conn.Drop(db.listener)
				db.listener = nil
			}
			return conn.Named("listen", err)
		}
		if note.Payload == db.Schema() {
			return nil
		}
	}
}

func (db Queue) listen(ctx context.Context) (*pgxpool.Conn, error) {
	listener, err := db.Pool().Acquire(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := listener.Exec(ctx, "listen "+outboxChannel); err != nil {
		conn.Drop(listener)
		return nil, err
	}
	return listener, nil
}

// Deleted implements [indexer.Ledger].
func (db Queue) Deleted(ctx context.Context, kind record.Kind, since time.Time, above int64, n int) ([]int64, error) {
	return conn.Collect(ctx, db.Querier(), "deleted records", pgx.RowTo[int64],
		`select id from deleted d where kind = $1
		and id > $2 and deleted_at >= $3
		and not exists (select from `+table(kind)+` r where r.id = d.id) order by id
		limit $4`, int16(kind), above, since, n)
}

// Now implements [indexer.Ledger].
func (db Queue) Now(ctx context.Context) (time.Time, error) {
	return conn.Value[time.Time](ctx, db.Querier(), "clock", "select now()")
}

// Expected implements [indexer.Ledger].
func (db Queue) Expected(ctx context.Context, kind record.Kind, above int64,
	since time.Time,
) (records, open int64, err error) {
	err = db.Querier().QueryRow(ctx, `select (select count(*) from `+table(kind)+`), (select count(*) from outbox
		where kind = $1 and seq > $2)
		+ (select count(*) from outbox_failed where kind = $1 and failed_at >=
		$3)`, int16(kind), above, since).Scan(&records, &open)
	if err != nil {
		return 0, 0, fmt.Errorf("count %s: %w", kind, conn.Classify(err))
	}
	return records, open, nil
}

// Built implements [indexer.Ledger].
func (db Queue) Built(ctx context.Context) (string, error) {
	return db.Setting(ctx, conn.SettingBuilt)
}

// Claim implements [indexer.Outbox].
func (db Queue) Claim(ctx context.Context, name string) error {
	return conn.Exec(ctx, db.Querier(), "claim the queue", conn.PutSetting, conn.SettingClaimed, name)
}

// Claimed implements [indexer.Outbox].
func (db Queue) Claimed(ctx context.Context) (string, error) {
	return db.Setting(ctx, conn.SettingClaimed)
}

// SetBuilt implements [indexer.Ledger].
func (db Queue) SetBuilt(ctx context.Context, name string, queued int64, refusedBefore, deletedBefore time.Time) error {
	batch := &pgx.Batch{}
	batch.Queue("delete from deleted where deleted_at < $1", deletedBefore)
	batch.Queue("delete from outbox_failed where failed_at < $1", refusedBefore)
	batch.Queue("update index_level set built = built + 1, version = 0")
	batch.Queue(conn.PutSetting, conn.SettingBuilt, name)
	return db.InTx(ctx, "index version", func(tx pgx.Tx) error {
		// After a load without an index, this takes minutes, for which prompts should not wait.
		if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "delete from outbox where seq <= $1", queued); err != nil {
			return err
		}
		if err := Vocabulary(db).swapVocabulary(ctx, tx); err != nil {
			return err
		}
		return tx.SendBatch(ctx, batch).Close()
	})
}
