package record

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/internal/record/privacy"
	"kith/query/cursor"
)

// eraseTx erases people and restores them.
type eraseTx struct{ *WriteTx }

var _ privacy.Store = (*Privacy)(nil)

// Privacy erases people and exports their data. It implements [privacy.Store] and is safe for concurrent use.
type Privacy struct {
	db    *Store
	audit *access.Audit
	vault *cursor.Sealer
}

// NewPrivacy returns the store of erasures; the vault seals the data that can be restored.
func NewPrivacy(db *Store, audit *access.Audit, vault *cursor.Sealer) *Privacy {
	return &Privacy{db, audit, vault}
}

// erase erases a person and, unless the erasure is final at once, stores it with the removed data. It returns the
// erasure's id; 0 if it is final.
func (p *Privacy) erase(ctx context.Context, w *WriteTx, s subject, o privacy.Order) (int64, error) {
	if o.FinalAt.IsZero() {
		_, err := (eraseTx{w}).erase(ctx, s, o.Actor)
		return 0, err
	}
	if err := conn.Exec(ctx, w.Tx, "keep erased rows", "select set_config('kith.erasing', 'on', true)"); err != nil {
		return 0, err
	}
	marks, err := (eraseTx{w}).erase(ctx, s, o.Actor)
	if err != nil {
		return 0, err
	}
	if err := conn.Exec(ctx, w.Tx, "keep erased rows", "select set_config('kith.erasing', '', true)"); err != nil {
		return 0, err
	}
	archive, err := p.archive(ctx, w.Tx)
	if err != nil {
		return 0, err
	}
	// The time orders the erasures of one person, which the lock of writers serializes; ids are random.
	return conn.Value[int64](ctx, w.Tx, "note an erasure", `insert into erasures (actor, app_id, marks, added, final_at,
		archive, created_at)
		values ($1, nullif($2::bigint, 0), $3, array(select hash from suppressed where hash = any($3)
		and created_at = now()), $4, $5, clock_timestamp()) returning id`,
		o.Actor, o.By.App, marks, o.FinalAt, archive)
}

// archive collects and seals the rows that this transaction erased.
func (p *Privacy) archive(ctx context.Context, tx pgx.Tx) ([]byte, error) {
	rows, err := conn.Value[[]byte](ctx, tx, "erased rows", `with gone as (delete from erased_rows returning *)
		select coalesce(jsonb_agg(to_jsonb(gone)), '[]') from gone`)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(rows); err != nil {
		return nil, fmt.Errorf("pack erased rows: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack erased rows: %w", err)
	}
	return p.vault.SealBytes(access.PurposeErasure, "", packed.Bytes()), nil
}

func (p *Privacy) unpack(archive []byte) ([]byte, error) {
	packed, err := p.vault.OpenBytes(access.PurposeErasure, "", archive)
	if err != nil {
		return nil, &kith.Error{
			Kind: kith.Internal, Code: "INTERNAL",
			Detail: "the erased rows cannot be opened: they were sealed with another key", Cause: err,
		}
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack erased rows: %w", err)
	}
	rows, err := io.ReadAll(r)
	return rows, conn.Named("unpack erased rows", err)
}

// Cancel implements [privacy.Store].
func (p *Privacy) Cancel(ctx context.Context, id int64, by kith.Principal) error {
	err := p.db.InWriteTx(ctx, record.ForEveryone(), func(ctx context.Context, w *WriteTx) error {
		if err := p.db.LockInTx(ctx, w.Tx, conn.LockPeople); err != nil {
			return err
		}
		archive, err := cancelable(ctx, w.Tx, id, by.App)
		if err != nil {
			return err
		}
		rows, err := p.unpack(archive)
		if err != nil {
			return err
		}
		if err := conn.Exec(ctx, w.Tx, "lift a suppression",
			"delete from suppressed where hash = any((select added from erasures where id = $1)::bytea[])",
			id); err != nil {
			return err
		}
		if err := (eraseTx{w}).restoreRows(ctx, rows); err != nil {
			return err
		}
		if err := conn.Exec(ctx, w.Tx, "cancel an erasure",
			"update erasures set canceled_at = now(), archive = null where id = $1", id); err != nil {
			return err
		}
		return access.Record(ctx, p.db.DB, w.Tx, by, "erasure.canceled", fmt.Sprintf("erasure %d", id), nil)
	})
	return conn.Named("cancel erasure", err)
}

// cancelable returns the archive of an erasure that can be canceled. A later erasure of the same person must be
// canceled first.
func cancelable(ctx context.Context, tx pgx.Tx, id, app int64) (archive []byte, err error) {
	var final, followed bool
	err = tx.QueryRow(ctx, `select archive, archive is null or final_at <= now(), exists (select from erasures n
			where n.created_at > e.created_at and n.marks && e.marks and n.canceled_at is null)
		from erasures e where id = $1 and ($2 = 0 or app_id = $2)
		for update`, id, app).Scan(&archive, &final, &followed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, kith.Errorf(kith.NotFound, "ERASURE_NOT_FOUND", "you have no erasure with this number")
	case err != nil:
		return nil, err
	case final:
		return nil, kith.Errorf(kith.Conflict, "ERASURE_FINAL",
			"the erasure is final or already canceled; it can no longer be canceled")
	case followed:
		return nil, kith.Errorf(kith.Conflict, "ERASURE_REPEATED",
			"the person was erased again after this; cancel that erasure first")
	}
	return archive, nil
}

// restoreRows restores rows and queues the index and network updates.
func (w eraseTx) restoreRows(ctx context.Context, rows []byte) error {
	if err := conn.Exec(ctx, w.Tx, "restore erased rows",
		"select set_config('kith.restoring', 'on', true)"); err != nil {
		return err
	}
	if err := conn.Exec(ctx, w.Tx, "restore erased rows", "select put_back($1)", rows); err != nil {
		return err
	}
	people, err := conn.Collect(ctx, w.Tx, "restore people", pgx.RowTo[int64], `update people
		set version = nextval('record_version')
		where id in (select (r -> 'before' ->> 'id')::bigint from jsonb_array_elements($1::jsonb) r
		where r ->> 'table_name' = 'people' and r -> 'after' = 'null')
		returning id`, rows)
	if err != nil || len(people) == 0 {
		return err
	}
	if err := conn.Exec(ctx, w.Tx, "restore people", "delete from deleted where kind = $1 and id = any($2)",
		int16(record.People), people); err != nil {
		return err
	}
	err = conn.Exec(ctx, w.Tx, "networks with restored people", `update users set network_version = network_version + 1
		where id in (select user_id from relationships where person_id = any($1))`, people)
	if err != nil {
		return err
	}
	fresh := make([]bool, len(people))
	for i := range fresh {
		fresh[i] = true
	}
	return w.enqueueAs(ctx, record.People, people, fresh)
}

// Erasures implements [privacy.Store].
func (p *Privacy) Erasures(ctx context.Context) ([]privacy.Erasure, error) {
	return conn.Collect(ctx, p.db.Querier(), "erasures", pgx.RowToStructByPos[privacy.Erasure],
		`select id, actor, created_at, final_at from erasures where archive is not null and final_at > now()
		order by created_at, id`)
}

// Since implements [privacy.Store].
func (p *Privacy) Since(ctx context.Context, app int64, at time.Time) (int, error) {
	return countErasures(ctx, p.db.Querier(), app, at)
}

func countErasures(ctx context.Context, q conn.Querier, app int64, since time.Time) (int, error) {
	return conn.Value[int](ctx, q, "erasures",
		"select count(*) from erasures where app_id = $1 and created_at > $2", app, since)
}

// overLimit refuses an order beyond the limit of its app. No other request erases meanwhile: writers are serialized.
func overLimit(ctx context.Context, tx pgx.Tx, o privacy.Order) (refused *privacy.Result, err error) {
	if o.LimitedSince.IsZero() {
		return nil, nil
	}
	n, err := countErasures(ctx, tx, o.By.App, o.LimitedSince)
	if err != nil || n < privacy.PerDay {
		return nil, err
	}
	return &privacy.Result{
		Status: privacy.Failed, Code: privacy.CodeLimit,
		Message: fmt.Sprintf("an app may erase %d people in 24 hours; ask the operator to erase more", privacy.PerDay),
	}, nil
}

// Finish implements [privacy.Store].
func (p *Privacy) Finish(ctx context.Context, now time.Time) (int, error) {
	tag, err := p.db.Querier().
		Exec(ctx, "update erasures set archive = null where archive is not null and final_at <= $1",
			now)
	return int(tag.RowsAffected()), conn.Named("finish erasures", err)
}

// Last implements [privacy.Store].
func (p *Privacy) Last(ctx context.Context) (int64, error) { return Queue{p.db}.Last(ctx) }

// Backlog implements [privacy.Store].
func (p *Privacy) Backlog(ctx context.Context, upTo int64) (int64, error) {
	return Queue{p.db}.Backlog(ctx, upTo)
}
