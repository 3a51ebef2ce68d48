package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/idempotency"
)

// Answers returns the store of first answers; see [idempotency.Store].
func (db *DB) Answers() *Answers { return &Answers{db: db} }

// Answers keeps the first answers of writing requests. It implements
// [idempotency.Store] and is safe for concurrent use.
type Answers struct{ db *DB }

// Claim takes a key, and sweeps some that have ended.
func (a *Answers) Claim(ctx context.Context, r idempotency.Request, now, claimedUntil, expires time.Time) (bool, error) {
	tag, err := a.db.pool.Exec(ctx, `with swept as (
			delete from idempotency_keys where id in (
				select id from idempotency_keys where expires_at <= $3 and id <> $1 limit 50 for update skip locked))
		insert into idempotency_keys as k (id, fingerprint, about_nobody, claimed_until, expires_at) values ($1, $2, $4, $5, $6)
		on conflict (id) do update
			set fingerprint = excluded.fingerprint, answer = null, about_nobody = excluded.about_nobody,
				claimed_until = excluded.claimed_until, expires_at = excluded.expires_at
			where k.expires_at <= $3`,
		r.ID[:], r.Fingerprint[:], now, r.AboutNobody, claimedUntil, expires)
	if err != nil {
		return false, fmt.Errorf("claim an idempotency key: %w", classify(err))
	}
	return tag.RowsAffected() == 1, nil
}

// Entry returns what is kept of a request.
func (a *Answers) Entry(ctx context.Context, r idempotency.Request, now time.Time) (idempotency.Entry, bool, error) {
	e := idempotency.Entry{Request: r}
	var fingerprint []byte
	err := a.db.pool.QueryRow(ctx, `select fingerprint, coalesce(answer, ''), claimed_until > $2 from idempotency_keys
		where id = $1 and expires_at > $2`, r.ID[:], now).Scan(&fingerprint, &e.Sealed, &e.Claimed)
	if errors.Is(err, pgx.ErrNoRows) {
		return idempotency.Entry{}, false, nil
	}
	if err != nil {
		return idempotency.Entry{}, false, fmt.Errorf("idempotency key: %w", classify(err))
	}
	copy(e.Fingerprint[:], fingerprint)
	return e, true, nil
}

// Answer adds the answer to a claim; not to one that [forgetAnswers] has ended. Neither
// this nor Release waits for a turn: what was done must be noted.
func (a *Answers) Answer(ctx context.Context, r idempotency.Request, sealed string) error {
	return exec(ctx, a.db.pool.Pool, "keep an answer", `update idempotency_keys set answer = $2
		where id = $1 and answer is null and claimed_until > '-infinity'`, r.ID[:], sealed)
}

// Release gives a claim back.
func (a *Answers) Release(ctx context.Context, r idempotency.Request) error {
	return exec(ctx, a.db.pool.Pool, "release an idempotency key", "delete from idempotency_keys where id = $1 and answer is null", r.ID[:])
}

// forgetAnswers drops the answers that may name a person, also those that are
// being made: they are sealed, so that the ones that do cannot be told from the
// others. The keys stay claimed, or a repeat would make a change twice; a body is
// known by nothing any more, since a hash of few words can be guessed.
//
// It is the last of a transaction. The lock keeps claims out until its end: a
// request that claims later no longer finds the person.
func forgetAnswers(ctx context.Context, tx pgx.Tx) error {
	if err := exec(ctx, tx, "forget answers", "lock table idempotency_keys in share row exclusive mode"); err != nil {
		return err
	}
	return exec(ctx, tx, "forget answers", `update idempotency_keys set answer = null, fingerprint = '', claimed_until = '-infinity'
		where not about_nobody and claimed_until > '-infinity'`)
}
