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
			delete from idempotency_keys where (scope, key) in (
				select scope, key from idempotency_keys
				where expires_at <= $4 and (scope, key) <> ($1, $2) limit 50 for update skip locked))
		insert into idempotency_keys as k (scope, key, fingerprint, claimed_until, expires_at) values ($1, $2, $3, $5, $6)
		on conflict (scope, key) do update
			set fingerprint = excluded.fingerprint, answer = null, claimed_until = excluded.claimed_until, expires_at = excluded.expires_at
			where k.expires_at <= $4 or k.answer is null and k.claimed_until <= $4`,
		r.Scope[:], r.Key, r.Fingerprint[:], now, claimedUntil, expires)
	if err != nil {
		return false, fmt.Errorf("claim an idempotency key: %w", away(err))
	}
	return tag.RowsAffected() == 1, nil
}

// Entry returns what is kept under a key.
func (a *Answers) Entry(ctx context.Context, r idempotency.Request, now time.Time) (idempotency.Entry, bool, error) {
	e := idempotency.Entry{Request: r}
	var fingerprint []byte
	err := a.db.pool.QueryRow(ctx, `select fingerprint, coalesce(answer, '') from idempotency_keys
		where scope = $1 and key = $2 and expires_at > $3 and (answer is not null or claimed_until > $3)`,
		r.Scope[:], r.Key, now).Scan(&fingerprint, &e.Sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return idempotency.Entry{}, false, nil
	}
	if err != nil {
		return idempotency.Entry{}, false, fmt.Errorf("idempotency key: %w", away(err))
	}
	copy(e.Fingerprint[:], fingerprint)
	return e, true, nil
}

// Answer adds the answer to a claim.
func (a *Answers) Answer(ctx context.Context, r idempotency.Request, sealed string) error {
	_, err := a.db.pool.Exec(ctx, "update idempotency_keys set answer = $3 where scope = $1 and key = $2 and answer is null",
		r.Scope[:], r.Key, sealed)
	if err != nil {
		return fmt.Errorf("keep an answer: %w", away(err))
	}
	return nil
}

// Release gives a claim back.
func (a *Answers) Release(ctx context.Context, r idempotency.Request) error {
	_, err := a.db.pool.Exec(ctx, "delete from idempotency_keys where scope = $1 and key = $2 and answer is null",
		r.Scope[:], r.Key)
	if err != nil {
		return fmt.Errorf("release an idempotency key: %w", away(err))
	}
	return nil
}
