package pgindex

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index"
	"kith/query"
)

// signatures are those of everyone in the active version, in memory: 128 bytes a
// person. They are read whole when they are first wanted, and brought level with
// what was written since each time that they are used.
type signatures struct {
	// turn is taken by whoever reads them, or what was written.
	turn chan struct{}

	mu      sync.RWMutex
	people  people
	version string // "" while there are none
	// level is the snapshot up to which they know what was written, and read when
	// that was asked for last.
	level string
	read  time.Time
	// loading is true while they are being read whole; again is when that may be
	// tried again after it failed.
	loading bool
	again   time.Time
}

// people are signatures by id, in blocks of neighbours.
type people map[int64]*[blockSize]signature

const (
	blockSize = 1024
	// maxBlocks bounds the memory to 256 MiB, two million people: beyond it there
	// are no signatures in memory, and people are told apart in Postgres.
	maxBlocks = 2048
	// loadTime is how long it may take to read all signatures.
	loadTime = 2 * time.Minute
	// loadPause is how long it is not tried again after it failed.
	loadPause = 10 * time.Minute
	// maxBehind is how many people written are read one by one: beyond that it
	// takes less to read all anew.
	maxBehind = 20_000
	// maxUnread is for how long signatures may go unread and still be brought
	// level, by far less than forgetWritten leaves.
	maxUnread = 30 * time.Minute
)

// set keeps the signature of someone; without one the person may have any term.
// It reports false where there is no room.
func (p people) set(id int64, bits []byte) bool {
	block, ok := p[id/blockSize]
	if !ok {
		if len(p) >= maxBlocks {
			return false
		}
		block = new([blockSize]signature)
		p[id/blockSize] = block
	}
	s := &block[id%blockSize]
	if copy(s[:], bits) < len(s) {
		for i := range s {
			s[i] = 0xFF
		}
	}
	return true
}

// Sieve implements [index.Siever]. The first call begins to read the signatures,
// and has none to offer yet.
func (ix *Index) Sieve(ctx context.Context, queries []query.Query) ([]index.Sieve, error) {
	tests, some := make([]signatureTest, len(queries)), false
	for i, q := range queries {
		tests[i] = testOf(q)
		some = some || tests[i] != nil
	}
	if !some {
		return nil, ctx.Err()
	}
	known, err := ix.levelled(ctx)
	if known == nil || err != nil {
		return nil, err
	}
	sieves := make([]index.Sieve, len(queries))
	for i, t := range tests {
		if t != nil {
			sieves[i] = func(ids []int64) []int64 { return ix.signatures.pick(known, ids, t) }
		}
	}
	return sieves, nil
}

// pick returns those of whom the signature lets a condition be.
func (m *signatures) pick(known people, ids []int64, t signatureTest) []int64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var out []int64
	for _, id := range ids {
		if block := known[id/blockSize]; block != nil && t(&block[id%blockSize]) {
			out = append(out, id)
		}
	}
	return out
}

// levelled brings the signatures level with what was written and returns them,
// where they are in memory; else it has them read.
func (ix *Index) levelled(ctx context.Context) (people, error) {
	m := &ix.signatures
	if !m.usable() {
		ix.loadSoon(ctx)
		return nil, ctx.Err()
	}
	// One after the other: what was read later must not be overwritten.
	done, err := m.take(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	m.mu.RLock()
	version, level := m.version, m.level
	m.mu.RUnlock()
	began, of := time.Now(), ""
	rows, err := ix.query(ctx, func(active layout) statement {
		of = active.version
		w := writer{}
		return statement{sql: fmt.Sprintf(readWritten, active.version, w.text(level), maxBehind), args: w.args}
	})
	if err != nil {
		return nil, err
	}
	return m.note(rows, began, of == version && len(rows) < maxBehind), nil
}

// usable reports whether there are signatures that can be brought level.
func (m *signatures) usable() bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.version != "" && time.Since(m.read) < maxUnread
}

// take waits for the turn.
func (m *signatures) take(ctx context.Context) (done func(), err error) {
	select {
	case m.turn <- struct{}{}:
		return func() { <-m.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readWritten gives the present snapshot and the signatures of those who were
// written since an earlier one, in one look.
const readWritten = `SELECT pg_current_snapshot()::text, c.id, p.signature FROM (VALUES (0)) one LEFT JOIN (
  SELECT DISTINCT unnest(w.ids) AS id FROM people_written_%[1]s w
  WHERE w.tx >= pg_snapshot_xmin(%[2]s::pg_snapshot) AND NOT pg_visible_in_snapshot(w.tx, %[2]s::pg_snapshot)) c ON true
LEFT JOIN people_%[1]s p ON p.id = c.id LIMIT %[3]d`

// note takes what was written, where that is whole; nil where it is not, or
// there is no room.
func (m *signatures) note(rows [][][]byte, began time.Time, whole bool) people {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, row := range rows {
		whole = whole && (row[1] == nil || m.people.set(number(row[1]), row[2]))
	}
	if !whole {
		// Searches under way go on with those that they have.
		m.people, m.version = nil, ""
		return nil
	}
	m.level, m.read = string(rows[0][0]), began
	return m.people
}

// loadSoon has the signatures read, unless somebody does, or they are too many.
// It outlives the search that wants them: the next ones profit.
func (ix *Index) loadSoon(ctx context.Context) {
	m := &ix.signatures
	stats, err := ix.statistics(ctx, index.People)
	if err != nil || stats.rows > maxBlocks*blockSize {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.loading || time.Now().Before(m.again) {
		return
	}
	m.loading = true
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTime)
		defer cancel()
		err := kith.Safely(func() error { return ix.load(ctx) })
		m.mu.Lock()
		defer m.mu.Unlock()
		m.loading = false
		if err != nil { // without them searches take longer, and find the same
			m.again = time.Now().Add(loadPause)
		}
	}()
}

// load reads all signatures.
func (ix *Index) load(ctx context.Context) error {
	m := &ix.signatures
	done, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	conn, err := ix.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	began, all := time.Now(), people{}
	var version, level string
	// What is written from here on is read again before the signatures are used.
	err = conn.QueryRow(ctx, "SELECT name, pg_current_snapshot()::text FROM index_versions WHERE active").Scan(&version,
		&level)
	if err != nil {
		return err
	}
	rows, err := conn.Query(ctx, "SELECT id, signature FROM people_"+version, pgx.QueryResultFormats{pgx.BinaryFormatCode})
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if raw := rows.RawValues(); !all.set(number(raw[0]), raw[1]) {
			return fmt.Errorf("no room for the signatures of more than %d blocks of people", maxBlocks)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.people, m.version, m.level, m.read = all, version, level, began
	return nil
}
