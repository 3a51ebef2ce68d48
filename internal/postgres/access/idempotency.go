package access

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/access/idempotency"
	"kith/internal/postgres/conn"
)

var _ idempotency.Store[*conn.DB] = (*Answers[*conn.DB])(nil)

// NewAnswers returns the store of first answers; see [idempotency.Store]. in returns what requests work with, over a
// transaction of db.
func NewAnswers[T any](db *conn.DB, in func(tx *conn.DB) T) *Answers[T] { return &Answers[T]{db, in} }

// Answers stores the first answers of writing requests. It implements [idempotency.Store] and is safe for concurrent
// use.
type Answers[T any] struct {
	db *conn.DB
	in func(tx *conn.DB) T
}

// Entry returns what is stored of a request.
func (a *Answers[T]) Entry(ctx context.Context, r idempotency.Request, now time.Time) (idempotency.Entry, bool, error) {
	return entry(ctx, a.db.Querier(), r, now)
}

func entry(ctx context.Context, q conn.Querier, r idempotency.Request,
	now time.Time,
) (e idempotency.Entry, ok bool, err error) {
	var fingerprint []byte
	err = q.QueryRow(ctx, "select fingerprint, answer from idempotency_keys where id = $1 and expires_at > $2", r.ID[:],
		now).
		Scan(&fingerprint, &e.Sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return e, false, nil
	}
	if err != nil {
		return e, false, conn.Named("idempotency key", err)
	}
	copy(e.Fingerprint[:], fingerprint)
	return e, true, nil
}

// Once implements [idempotency.Store]. The request's advisory lock ends with the transaction, even if the process is
// killed.
func (a *Answers[T]) Once(
	ctx context.Context, r idempotency.Request, now, expires time.Time,
	keep func(idempotency.Entry) (bool, error), work func(context.Context, T) ([]byte, error),
) error {
	return a.db.InUnit(ctx, func(db *conn.DB, tx pgx.Tx) error {
		mine, err := conn.Value[bool](ctx, tx, "claim an idempotency key", "select pg_try_advisory_xact_lock($1)",
			int64(binary.BigEndian.Uint64(r.ID[:]))) // any 64 bits will do
		if err != nil {
			return err
		}
		if !mine {
			return idempotency.InProgress()
		}
		first, known, err := entry(ctx, tx, r, now)
		if err != nil {
			return err
		}
		if known {
			if again, err := keep(first); err != nil || !again {
				return err
			}
		}
		if err := roomForAnswer(ctx, tx, r, now); err != nil {
			return err
		}
		before, err := erasures(ctx, tx)
		if err != nil {
			return err
		}
		answer, err := work(ctx, a.in(db))
		if err != nil {
			return err
		}
		return keepAnswer(ctx, tx, r, now, expires, answer, before)
	})
}

// roomForAnswer refuses a request whose owner has used up the quota.
func roomForAnswer(ctx context.Context, tx pgx.Tx, r idempotency.Request, now time.Time) error {
	var keys, bytes int64
	err := tx.QueryRow(ctx, "select count(*), coalesce(sum(size), 0) from idempotency_keys where owner = $1 and "+
		"expires_at > $2", r.Owner[:], now).Scan(&keys, &bytes)
	if err == nil && (keys >= idempotency.MaxKeys || bytes >= idempotency.MaxBytes) {
		return idempotency.QuotaExceeded()
	}
	return err
}

// keepAnswer stores an answer and deletes some expired ones. before is the number of erasures before the answer was
// made: if it has changed since, the answer may name an erased person and is not kept. The lock waits for an erasure
// under way: see [ForgetAnswers].
func keepAnswer(ctx context.Context, tx pgx.Tx, r idempotency.Request, now, expires time.Time, answer []byte,
	before int64,
) error {
	if err := conn.Exec(ctx, tx, "keep an answer", "lock table idempotency_keys in row exclusive mode"); err != nil {
		return err
	}
	since, err := erasures(ctx, tx)
	if err != nil {
		return err
	}
	fingerprint := r.Fingerprint[:]
	if since != before && !r.AboutNobody && !r.Secret {
		answer, fingerprint = nil, []byte{}
	}
	return conn.Exec(ctx, tx, "keep an answer", `with swept as (
			delete from idempotency_keys where id in (
				select id from idempotency_keys where expires_at <= $3 and id <> $1 limit 50 for update skip locked))
		insert into idempotency_keys (id, fingerprint, about_nobody, expires_at, answer, owner, size)
		values ($1, $2, $4, $5, $6, $7, $8)
		on conflict (id) do update set fingerprint = excluded.fingerprint, about_nobody = excluded.about_nobody,
			expires_at = excluded.expires_at, answer = excluded.answer, owner = excluded.owner, size = excluded.size`,
		r.ID[:], fingerprint, now, r.AboutNobody || r.Secret, expires, answer, r.Owner[:], len(answer))
}

// erasures returns the number of erasures so far.
func erasures(ctx context.Context, tx pgx.Tx) (int64, error) {
	return conn.Value[int64](ctx, tx, "erasures",
		"select coalesce((select value::bigint from settings where key = $1), 0)", conn.SettingErasures)
}

// ForgetAnswers drops all answers that may name a person: they are sealed, so it cannot know which ones do. The keys
// stay, otherwise a repeated request would apply a change twice. The fingerprints of bodies go, because the hash of a
// few words can be guessed.
//
// It must be the last statement of a transaction. The lock blocks new answers until the transaction ends; requests
// under way learn from the number of erasures that their answers may name the person.
func ForgetAnswers(ctx context.Context, tx pgx.Tx) error {
	if err := conn.Exec(ctx, tx, "forget answers", conn.BumpSetting, conn.SettingErasures); err != nil {
		return err
	}
	err := conn.Exec(ctx, tx, "forget answers", "lock table idempotency_keys in share row exclusive mode")
	if err != nil {
		return err
	}
	return conn.Exec(ctx, tx, "forget answers",
		"update idempotency_keys set answer = null, fingerprint = '' where not about_nobody and answer is not null")
}
