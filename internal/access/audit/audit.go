// Package audit reads the log of changes to credentials, users and people's data, and detects tampering: each [Entry]
// has a keyed hash that covers the one before it. The stores write entries, in the transaction of the change.
package audit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Entry is one audited action.
type Entry struct {
	Seq int64 `json:"seq"`
	// At is in UTC, with microseconds.
	At    time.Time `json:"at"`
	Actor string    `json:"actor"`
	// App is the id of the app; 0 for none.
	App     int64           `json:"app_id,omitzero"`
	Action  string          `json:"action"`
	Subject string          `json:"subject"`
	Detail  json.RawMessage `json:"detail"`
	// Prev is the hash of the entry before this one, in hexadecimal; empty for the first.
	Prev string `json:"-"`
	Hash string `json:"hash"`
}

// separator separates the hashed fields.
const separator = "\x1f"

// Sum computes the hash that an entry must have in a log with a key: HMAC-SHA256, in hexadecimal.
func (e Entry) Sum(key []byte) string {
	app := ""
	if e.App != 0 {
		app = strconv.FormatInt(e.App, 10)
	}
	text := strings.Join([]string{
		strconv.FormatInt(e.Seq, 10), e.At.Format("2006-01-02T15:04:05.000000Z"), e.Actor, app, e.Action, e.Subject,
		string(e.Detail), e.Prev,
	}, separator)
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// Filter selects entries; the zero value selects all.
type Filter struct {
	// After selects entries with greater numbers.
	After int64
	// Action is an action or a prefix of actions, such as "key.".
	Action string
	Since  time.Time
	// N is the most entries; 0 is all.
	N int
}

// Log reads the entries, oldest first.
type Log interface {
	// Key is the key of the hashes.
	Key() []byte
	Each(ctx context.Context, f Filter, visit func(Entry) error) error
}

// Head is the newest entry of a log.
type Head struct {
	Seq  int64
	Hash string
}

// Verify reads the whole log and returns its head, or an error that names the first missing or changed entry. A known
// hash, unless empty, must be among the entries: it reveals a truncated log.
func Verify(ctx context.Context, log Log, known string) (Head, error) {
	var head Head
	found := known == ""
	err := log.Each(ctx, Filter{}, func(e Entry) error {
		switch {
		case e.Seq != head.Seq+1:
			return fmt.Errorf("entry %d is missing", head.Seq+1)
		case e.Prev != head.Hash:
			return fmt.Errorf("entry %d does not follow entry %d: one of them was changed", e.Seq, head.Seq)
		case e.Hash != e.Sum(log.Key()):
			return fmt.Errorf("entry %d was changed", e.Seq)
		}
		head = Head{e.Seq, e.Hash}
		found = found || e.Hash == known
		return nil
	})
	if err == nil && !found {
		err = fmt.Errorf("no entry has the hash %s: the log was cut short or rewritten", known)
	}
	return head, err
}
