package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"

	"kith/internal/record"
)

// suppression hashes the marks of people.
type suppression struct {
	key []byte
	// anyone is true if somebody is suppressed: most datasets have nobody, and then no hashing is needed.
	anyone bool
}

// suppression reads whether anyone is suppressed. A missing key is an error, because suppressed people could not be
// recognised.
func (db *DB) suppression(ctx context.Context, q Querier) (suppression, error) {
	s := suppression{key: db.suppressionKey}
	err := q.QueryRow(ctx, "select exists (select from suppressed)").Scan(&s.anyone)
	switch {
	case err != nil:
		return s, fmt.Errorf("suppressed people: %w", classify(err))
	case s.key == nil:
		return s, errors.New("the store was given no suppression key")
	}
	return s, nil
}

// profile and email hash a profile key and a lower-case address. The prefixes keep them from colliding.
func (s suppression) profile(key string) []byte { return s.hash("profile:" + key) }
func (s suppression) email(addr string) []byte  { return s.hash("email:" + addr) }

func (s suppression) hash(mark string) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte(mark))
	return h.Sum(nil)
}

// Suppressed returns the profile keys whose people must not be stored.
func (db *DB) Suppressed(ctx context.Context, keys []string) (map[string]bool, error) {
	return db.suppressedAmong(ctx, db.pool, keys)
}

// suppressedAmong is [DB.Suppressed] on a transaction or pool.
func (db *DB) suppressedAmong(ctx context.Context, q Querier, keys []string) (map[string]bool, error) {
	out := map[string]bool{}
	s, err := db.suppression(ctx, q)
	if err != nil || !s.anyone {
		return out, err
	}
	hashes := make([][]byte, len(keys))
	for i, key := range keys {
		hashes[i] = s.profile(key)
	}
	stored, err := storedHashes(ctx, q, hashes)
	for i, key := range keys {
		if stored[string(hashes[i])] {
			out[key] = true
		}
	}
	return out, err
}

// storedHashes returns the hashes that are suppressed.
func storedHashes(ctx context.Context, q Querier, hashes [][]byte) (map[string]bool, error) {
	out := map[string]bool{}
	var hash []byte
	err := forEach(ctx, q, "suppressed people", []any{&hash}, func() error {
		out[string(hash)] = true
		return nil
	}, "select s.hash from unnest($1::bytea[]) k join suppressed s on s.hash = k", hashes)
	return out, err
}

// markSuppressed marks rows of people who must not be stored, because one of their profiles or addresses is suppressed.
func (w *writeTx) markSuppressed(ctx context.Context, rows []record.PersonRow, outcomes []record.Outcome) error {
	s, err := w.db.suppression(ctx, w.tx)
	if err != nil || !s.anyone {
		return err
	}
	var hashes [][]byte
	var of []int
	add := func(i int, hash []byte) { hashes, of = append(hashes, hash), append(of, i) }
	for i, r := range rows {
		for _, profile := range append([]string{r.SocialKey}, r.Profiles...) {
			add(i, s.profile(profile))
		}
		for _, address := range r.Person.Addresses() {
			add(i, s.email(address))
		}
	}
	stored, err := storedHashes(ctx, w.tx, hashes)
	for k, hash := range hashes {
		if stored[string(hash)] {
			outcomes[of[k]] = record.Suppressed
		}
	}
	return err
}
