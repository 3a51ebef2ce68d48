package postgres

import (
	"context"
	"fmt"
	"time"

	"kith/index/load"
)

// Waiting is how far the index is behind the records.
type Waiting struct {
	// Entries are the changes that are queued, counted up to a million.
	Entries int64
	// Age is how long the oldest of them has been; 0 where there is none.
	Age time.Duration
	// Refused is how many records the index could not take; their reasons stand in
	// the table outbox_failed.
	Refused int64
}

// mostWaiting bounds the counting: while millions of people are loaded it is to
// cost little.
const mostWaiting = 1_000_000

// Waiting looks at the queue of the index.
func (db *DB) Waiting(ctx context.Context) (Waiting, error) {
	var w Waiting
	var seconds float64
	err := db.pool.QueryRow(ctx, `select (select count(*) from (select from outbox limit $1) o),
			coalesce((select extract(epoch from clock_timestamp() - queued_at) from outbox order by seq limit 1), 0)::float8,
			(select count(*) from outbox_failed)`, mostWaiting).Scan(&w.Entries, &seconds, &w.Refused)
	if err != nil {
		return Waiting{}, fmt.Errorf("queue of the index: %w", classify(err))
	}
	w.Age = time.Duration(seconds * float64(time.Second))
	return w, nil
}

// Stored counts the records one by one, however many there are.
func (db *DB) Stored(ctx context.Context, kind load.Kind) (int, error) {
	return value[int](ctx, db.pool, fmt.Sprintf("count %s", kind), "select count(*) from "+table(kind))
}
