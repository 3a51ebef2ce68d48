package record

import (
	"context"
	"fmt"
	"time"

	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// Waiting describes how far the index is behind the records.
type Waiting struct {
	// Entries is the number of queued changes, counted up to a million.
	Entries int64
	// Age is the age of the oldest one; 0 if there is none.
	Age time.Duration
	// Refused is the number of records that the index refused; the table outbox_failed has the reasons.
	Refused int64
}

// maxCounted bounds the counting, so that it is cheap while millions of people are loaded.
const maxCounted = 1_000_000

// Waiting reads the state of the index queue.
func (db Queue) Waiting(ctx context.Context) (Waiting, error) {
	var w Waiting
	var seconds float64
	err := db.Querier().QueryRow(ctx, `select (select count(*) from (select from outbox limit $1) o),
			coalesce((select extract(epoch from clock_timestamp() - queued_at) from outbox order by seq
			limit 1), 0)::float8,
			(select count(*) from outbox_failed)`, maxCounted).Scan(&w.Entries, &seconds, &w.Refused)
	if err != nil {
		return Waiting{}, conn.Named("queue of the index", err)
	}
	w.Age = time.Duration(seconds * float64(time.Second))
	return w, nil
}

// Stored counts the records exactly, however many there are.
func (db Queue) Stored(ctx context.Context, kind record.Kind) (int, error) {
	return conn.Value[int](ctx, db.Querier(), fmt.Sprintf("count %s", kind), "select count(*) from "+table(kind))
}
