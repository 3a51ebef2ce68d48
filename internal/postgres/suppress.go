package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"

	"kith/index/load"
)

// UseSuppressionKey has the store hash the marks of erased people with a key: always the
// same one, since people who were erased are known by these hashes alone. It is called
// before the store is used.
func (db *DB) UseSuppressionKey(key []byte) { db.suppressionKey = key }

// suppression hashes the marks of people.
type suppression struct {
	key []byte
	// anyone says that somebody is suppressed: most directories have nobody, and
	// then nothing needs to be hashed.
	anyone bool
}

// suppression reads whether anyone is suppressed. Without a key, people who are could
// not be told, which is an error.
func (db *DB) suppression(ctx context.Context, q querier) (suppression, error) {
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

// profile and email are the hashes of a profile's key and of an address in
// lower case. The two cannot meet.
func (s suppression) profile(key string) []byte { return s.hash("profile:" + key) }
func (s suppression) email(addr string) []byte  { return s.hash("email:" + addr) }

func (s suppression) hash(mark string) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte(mark))
	return h.Sum(nil)
}

// Suppressed returns those profile keys whose people are not to be stored.
func (db *DB) Suppressed(ctx context.Context, keys []string) (map[string]bool, error) {
	return db.suppressedAmong(ctx, db.pool, keys)
}

// suppressedAmong is [DB.Suppressed] in a transaction or out of one.
func (db *DB) suppressedAmong(ctx context.Context, q querier, keys []string) (map[string]bool, error) {
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

// storedHashes returns those hashes that are suppressed.
func storedHashes(ctx context.Context, q querier, hashes [][]byte) (map[string]bool, error) {
	out := map[string]bool{}
	var hash []byte
	err := forEach(ctx, q, "suppressed people", []any{&hash}, func() error {
		out[string(hash)] = true
		return nil
	}, "select s.hash from unnest($1::bytea[]) k join suppressed s on s.hash = k", hashes)
	return out, err
}

// markSuppressed marks the rows of people who are not to be stored: of whom
// a profile or an address is suppressed.
func (w *writeTx) markSuppressed(ctx context.Context, rows []load.PersonRow, outcomes []load.Outcome) error {
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
			outcomes[of[k]] = load.Suppressed
		}
	}
	return err
}
