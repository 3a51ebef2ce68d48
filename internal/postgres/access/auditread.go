package access

import (
	"context"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/query/analysis"
)

// auditQueue holds entries waiting to be written. Entries are written one transaction at a time; those that arrive
// meanwhile share the next. Any number of readers thus costs only a few transactions a second.
type auditQueue struct {
	mu      sync.Mutex
	waiting []waitingEntry
	writing bool
}

// waitingEntry is an entry that receives the outcome on done.
type waitingEntry struct {
	auditEntry
	done chan error
}

const (
	// auditBatch is how many entries are written in one transaction.
	auditBatch = 200
	// auditPatience is the time limit of a batch.
	auditPatience = 10 * time.Second
)

// Note writes an entry about an action that changes nothing in the database, and returns once it is committed.
func (a *Audit) Note(ctx context.Context, by kith.Principal, action, subject string, detail any) error {
	if a.db.IsTransaction() {
		return a.db.InTx(ctx, "audit", func(tx pgx.Tx) error {
			return Record(ctx, a.db, tx, by, action, subject, detail)
		})
	}
	e, err := newEntry(by, action, subject, detail)
	if err != nil {
		return err
	}
	w := waitingEntry{e, make(chan error, 1)}
	q := a.reads
	q.mu.Lock()
	q.waiting = append(q.waiting, w)
	if !q.writing {
		q.writing = true
		go a.write()
	}
	q.mu.Unlock()
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write writes waiting entries until there are none.
func (a *Audit) write() {
	q := a.reads
	for {
		q.mu.Lock()
		n := min(len(q.waiting), auditBatch)
		batch := q.waiting[:n]
		q.waiting, q.writing = q.waiting[n:], n > 0
		q.mu.Unlock()
		if n == 0 {
			return
		}
		entries := make([]auditEntry, n)
		for i, w := range batch {
			entries[i] = w.auditEntry
		}
		ctx, cancel := context.WithTimeout(context.Background(), auditPatience)
		err := a.db.InTx(ctx, "audit", func(tx pgx.Tx) error { return writeEntries(ctx, a.db, tx, entries) })
		cancel()
		for _, w := range batch {
			w.done <- err
		}
	}
}

// Read records that people's data was read. Each person is identified by a keyed hash, as in entries about erasures.
func (a *Audit) Read(ctx context.Context, by kith.Principal, action string, people []kith.Person) error {
	if len(people) == 0 {
		return nil
	}
	keep, err := ReadSuppression(ctx, a.db, a.db.Querier())
	if err != nil {
		return err
	}
	names := make([]string, len(people))
	for i, p := range people {
		profile, _ := analysis.URLKey(p.SocialURL)
		names[i] = "person " + hex.EncodeToString(keep.Person(profile, strings.ToLower(p.Email), p.ID))
	}
	if len(names) == 1 {
		return a.Note(ctx, by, action, names[0], nil)
	}
	return a.Note(ctx, by, action, "", map[string]any{"people": names})
}
