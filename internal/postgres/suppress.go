package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"kith/index/load"
)

// settingSuppressionKey names the key of the hashes that forgotten people are
// known by. Without it the hashes say nothing, and nobody can be kept from
// coming back: it is in every backup that has them.
const settingSuppressionKey = "suppression_key"

// suppression hashes the marks of people.
type suppression struct {
	// key is nil until somebody is forgotten for the first time.
	key []byte
	// anyone says that somebody is suppressed: most directories have nobody, and
	// then nothing needs to be hashed.
	anyone bool
}

// makeSuppression is [readSuppression] that makes the key where there is none.
func makeSuppression(ctx context.Context, q querier) (suppression, error) {
	s, err := readSuppression(ctx, q)
	if err != nil || s.key != nil {
		return s, err
	}
	fresh := make([]byte, sha256.Size)
	_, _ = rand.Read(fresh) // never fails: see crypto/rand
	// The insert of whoever came first is what everyone then reads.
	err = exec(ctx, q, "suppression key", firstSetting, settingSuppressionKey, base64.StdEncoding.EncodeToString(fresh))
	if err != nil {
		return s, err
	}
	return readSuppression(ctx, q)
}

// readSuppression reads the key. Where it is gone, and people are suppressed by
// it, that is an error.
func readSuppression(ctx context.Context, q querier) (s suppression, err error) {
	var text *string
	err = q.QueryRow(ctx, "select (select value #>> '{}' from settings where key = $1), exists (select from suppressed)", settingSuppressionKey).
		Scan(&text, &s.anyone)
	switch {
	case err != nil:
		return s, fmt.Errorf("suppression key: %w", classify(err))
	case text == nil && s.anyone:
		return s, damagedSuppression("missing")
	case text == nil:
		return s, nil
	}
	s.key, err = base64.StdEncoding.DecodeString(*text)
	if err != nil || len(s.key) != sha256.Size {
		return s, damagedSuppression("damaged")
	}
	return s, nil
}

func damagedSuppression(how string) error {
	return fmt.Errorf("the suppression key in settings is %s: put the row %q back from a backup; without it forgotten people could come back", how, settingSuppressionKey)
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
	return suppressedAmong(ctx, db.pool, keys)
}

// suppressedAmong is [DB.Suppressed] in a transaction or out of one.
func suppressedAmong(ctx context.Context, q querier, keys []string) (map[string]bool, error) {
	out := map[string]bool{}
	s, err := readSuppression(ctx, q)
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
	s, err := readSuppression(ctx, w.tx)
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
