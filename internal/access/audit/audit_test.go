package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kith/internal/access/audit"
)

// kept is a log in memory.
type kept []audit.Entry

// Key implements [audit.Log].
func (kept) Key() []byte { return []byte("key") }

func (k kept) Each(_ context.Context, _ audit.Filter, visit func(audit.Entry) error) error {
	for _, e := range k {
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

// newLog returns an intact log.
func newLog(entries int) kept {
	var log kept
	prev := ""
	for i := range entries {
		e := audit.Entry{
			Seq: int64(i + 1), At: time.Date(2026, 5, 1, 12, 0, i, 5000, time.UTC), Actor: "operator",
			App:    int64(i % 2),
			Action: "key.created", Subject: fmt.Sprint("key ", i), Detail: json.RawMessage(`{"name":"x"}`), Prev: prev,
		}
		e.Hash = e.Sum(log.Key())
		log, prev = append(log, e), e.Hash
	}
	return log
}

// The hash covers every field. A new hash for a changed entry does not hide the change: the next entry, or the known
// hash, reveals it.
func TestEveryChangeIsDetected(t *testing.T) {
	const entries = 4
	known := newLog(entries)[entries-1].Hash
	changes := map[string]func(*audit.Entry){
		"seq":          func(e *audit.Entry) { e.Seq += 10 },
		"time":         func(e *audit.Entry) { e.At = e.At.Add(time.Microsecond) },
		"actor":        func(e *audit.Entry) { e.Actor = "user u1" },
		"app":          func(e *audit.Entry) { e.App += 2 },
		"action":       func(e *audit.Entry) { e.Action = "key.revoked" },
		"subject":      func(e *audit.Entry) { e.Subject = "key 77" },
		"detail":       func(e *audit.Entry) { e.Detail = json.RawMessage(`{"name":"y"}`) },
		"prev":         func(e *audit.Entry) { e.Prev = strings.Repeat("0", 64) },
		"hash":         func(e *audit.Entry) { e.Hash = strings.Repeat("0", 64) },
		"field border": func(e *audit.Entry) { e.Actor, e.Action = e.Actor+e.Action[:1], e.Action[1:] },
	}
	for name, change := range changes {
		for i := range entries {
			for _, again := range []bool{false, true} {
				log := newLog(entries)
				if change(&log[i]); again {
					log[i].Hash = log[i].Sum(log.Key())
				}
				_, err := audit.Verify(t.Context(), log, known)
				if unchanged := again && name == "hash"; (err == nil) != unchanged {
					t.Errorf("entry %d with another %s, hashed again %v: %v", i+1, name, again, err)
				}
			}
		}
	}
}

func TestMissingEntriesAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		log   kept
		known int // entry of the known hash, 0 for none
		says  string
	}{
		"none":              {newLog(3), 0, "<nil>"},
		"none, known":       {newLog(3), 2, "<nil>"},
		"the first":         {newLog(3)[1:], 0, "entry 1 is missing"},
		"one between":       {slices.Delete(newLog(4), 1, 3), 0, "entry 2 is missing"},
		"the last, unknown": {newLog(4)[:3], 0, "<nil>"},
		"the last, known":   {newLog(4)[:3], 4, "the log was cut short"},
	} {
		known := ""
		if c.known > 0 {
			known = newLog(c.known)[c.known-1].Hash
		}
		head, err := audit.Verify(t.Context(), c.log, known)
		if !strings.Contains(fmt.Sprint(err), c.says) || err == nil && head.Seq != int64(len(c.log)) {
			t.Errorf("%s: the log ends at %+v, %v, want %s", name, head, err, c.says)
		}
	}
}

// Without the key, nobody can compute the hashes of changed entries.
func TestRewrittenLogIsDetected(t *testing.T) {
	log := newLog(4)
	prev := log[0].Hash
	for i := 1; i < len(log); i++ {
		log[i].Subject, log[i].Prev = "key 77", prev
		log[i].Hash = log[i].Sum([]byte("guess"))
		prev = log[i].Hash
	}
	if _, err := audit.Verify(t.Context(), log, ""); err == nil || err.Error() != "entry 2 was changed" {
		t.Errorf("got %v", err)
	}
}
