package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"strconv"

	"kith/internal/postgres/conn"
)

// Suppression hashes the marks of people.
type Suppression struct {
	Key []byte
	// Anyone is true if somebody is suppressed: most datasets have nobody, and then no hashing is needed.
	Anyone bool
}

// ReadSuppression reads whether anyone is suppressed. A missing key is an error, because suppressed people could not be
// recognised.
func ReadSuppression(ctx context.Context, db *conn.DB, q conn.Querier) (Suppression, error) {
	s := Suppression{Key: db.SuppressionKey()}
	err := q.QueryRow(ctx, "select exists (select from suppressed)").Scan(&s.Anyone)
	switch {
	case err != nil:
		return s, conn.Named("suppressed people", err)
	case s.Key == nil:
		return s, errors.New("the store was given no suppression key")
	}
	return s, nil
}

// Profile hashes a profile key. Prefixes keep it and others from colliding.
func (s Suppression) Profile(key string) []byte { return s.hash("profile:" + key) }

// Email hashes a lower-case address.
func (s Suppression) Email(addr string) []byte { return s.hash("email:" + addr) }

// Person hashes the mark that names a person in the audit: the profile key, else the lower-case address, else the id.
func (s Suppression) Person(profile, email string, id int64) []byte {
	switch {
	case profile != "":
		return s.Profile(profile)
	case email != "":
		return s.Email(email)
	}
	return s.hash("person:" + strconv.FormatInt(id, 10))
}

func (s Suppression) hash(mark string) []byte {
	h := hmac.New(sha256.New, s.Key)
	h.Write([]byte(mark))
	return h.Sum(nil)
}

// SuppressedAmong returns the profile keys whose people must not be stored.
func SuppressedAmong(ctx context.Context, db *conn.DB, q conn.Querier, keys []string) (map[string]bool, error) {
	out := map[string]bool{}
	s, err := ReadSuppression(ctx, db, q)
	if err != nil || !s.Anyone {
		return out, err
	}
	hashes := make([][]byte, len(keys))
	for i, key := range keys {
		hashes[i] = s.Profile(key)
	}
	stored, err := StoredHashes(ctx, q, hashes)
	for i, key := range keys {
		if stored[string(hashes[i])] {
			out[key] = true
		}
	}
	return out, err
}

// StoredHashes returns the hashes that are suppressed.
func StoredHashes(ctx context.Context, q conn.Querier, hashes [][]byte) (map[string]bool, error) {
	out := map[string]bool{}
	var hash []byte
	err := conn.ForEach(ctx, q, "suppressed people", []any{&hash}, func() error {
		out[string(hash)] = true
		return nil
	}, "select s.hash from unnest($1::bytea[]) k join suppressed s on s.hash = k", hashes)
	return out, err
}
