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

// signatures caches the signatures of everyone in the active version: 128 bytes a person. The first use loads them
// all; each later use adds what was written since.
type signatures struct {
	// turn is held while reading signatures from Postgres.
	turn chan struct{}

	mu      sync.RWMutex
	people  people
	version string // "" while there are none
	// level is the snapshot up to which writes are included; read is when that was last checked.
	level string
	read  time.Time
	// loading is true during a full load; again is the earliest time for another try after a failure.
	loading bool
	again   time.Time
}

// people are signatures in blocks of adjacent ids.
type people map[int64]*[blockSize]signature

const (
	blockSize = 1024
	// maxBlocks limits the memory to 256 MiB, about two million people. Beyond it there is no cache, and Postgres
	// tests people.
	maxBlocks = 2048
	// loadTime is the longest time for a full load.
	loadTime = 2 * time.Minute
	// loadPause is the pause after a failed load.
	loadPause = 10 * time.Minute
	// maxReread is the most written people read one by one: beyond that a full load is faster.
	maxReread = 20_000
	// maxUnread is how long the cache may stay unread and still catch up. It is far shorter than the time
	// forgetWritten keeps.
	maxUnread = 30 * time.Minute
)

// set stores a person's signature. Without a signature the person may have any term. It returns false if the cache is
// full.
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

// Prefilters implements [index.Prefilterer]. The first call starts loading the signatures and returns no prefilters.
func (ix *Index) Prefilters(ctx context.Context, queries []query.Query) ([]index.Prefilter, error) {
	tests, some := make([]signatureTest, len(queries)), false
	for i, q := range queries {
		tests[i] = compileTest(q)
		some = some || tests[i] != nil
	}
	if !some {
		return nil, ctx.Err()
	}
	known, err := ix.refreshed(ctx)
	if known == nil || err != nil {
		return nil, err
	}
	prefilters := make([]index.Prefilter, len(queries))
	for i, t := range tests {
		if t != nil {
			prefilters[i] = func(ids []int64) []int64 { return ix.signatures.pick(known, ids, t) }
		}
	}
	return prefilters, nil
}

// pick returns the people whose signature passes a test.
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

// refreshed adds recent writes to the cached signatures and returns them. Without a cache it starts a load and returns
// nil.
func (ix *Index) refreshed(ctx context.Context) (people, error) {
	m := &ix.signatures
	if !m.usable() {
		ix.loadInBackground(ctx)
		return nil, ctx.Err()
	}
	// One call at a time: an older read must not overwrite a newer one.
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
		return statement{sql: fmt.Sprintf(readWritten, active.version, w.text(level), maxReread), args: w.args}
	})
	if err != nil {
		return nil, err
	}
	return m.note(rows, began, of == version && len(rows) < maxReread), nil
}

// usable reports whether there is a cache that can catch up.
func (m *signatures) usable() bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.version != "" && time.Since(m.read) < maxUnread
}

// take waits for the turn; done gives it back.
func (m *signatures) take(ctx context.Context) (done func(), err error) {
	select {
	case m.turn <- struct{}{}:
		return func() { <-m.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readWritten reads the current snapshot, and the signatures of people written since an earlier one, in one statement.
const readWritten = `SELECT pg_current_snapshot()::text, c.id, p.signature FROM (VALUES (0)) one LEFT JOIN (
  SELECT DISTINCT unnest(w.ids) AS id FROM people_written_%[1]s w
  WHERE w.tx >= pg_snapshot_xmin(%[2]s::pg_snapshot) AND NOT pg_visible_in_snapshot(w.tx, %[2]s::pg_snapshot)) c ON true
LEFT JOIN people_%[1]s p ON p.id = c.id LIMIT %[3]d`

// note adds written people to the cache and returns it. If the rows are incomplete or the cache is full, it drops the
// cache and returns nil.
func (m *signatures) note(rows [][][]byte, began time.Time, whole bool) people {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, row := range rows {
		whole = whole && (row[1] == nil || m.people.set(number(row[1]), row[2]))
	}
	if !whole {
		// Running searches keep the signatures they have.
		m.people, m.version = nil, ""
		return nil
	}
	m.level, m.read = string(rows[0][0]), began
	return m.people
}

// loadInBackground starts a full load in the background, unless one is running or there are too many people. The load
// outlives the search, because later searches use it.
func (ix *Index) loadInBackground(ctx context.Context) {
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
		if err != nil { // without a cache searches are slower, with the same results
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
	// Writes from here on are read again before the signatures are used.
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
			return fmt.Errorf("signatures are limited to %d blocks of people", maxBlocks)
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
