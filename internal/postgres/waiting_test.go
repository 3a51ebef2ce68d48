package postgres_test

import (
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith/index/memindex"
	"kith/internal/postgres"
	recordsql "kith/internal/postgres/record"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestWaitingCountsTheQueueAndItsAge(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	wait := func() recordsql.Waiting {
		w, err := db.Waiting(t.Context())
		expect.NoError(t, err)
		return w
	}
	if w := wait(); w != (recordsql.Waiting{}) {
		t.Errorf("an empty queue: got %+v", w)
	}
	pgtest.Load(t, db, record.People, person("Ann", ""))
	pgtest.Load(t, db, record.People, person("Bob", ""))
	_, err := connect(t, url).Exec(t.Context(),
		"update kith.outbox set queued_at = queued_at - interval '1 hour' where seq = (select min(seq) from "+
			"kith.outbox)")
	expect.NoError(t, err)
	if w := wait(); w.Entries != 2 || w.Age < time.Hour || w.Refused != 0 {
		t.Errorf("got %+v, want two entries, the older one of an hour", w)
	}
	expect.NoError(t, indexer.NewDrainer(db, memindex.New(), zerolog.Nop()).Drain(t.Context()))
	if w := wait(); w != (recordsql.Waiting{}) {
		t.Errorf("after a drain: %+v", w)
	}
	if n, err := db.Stored(t.Context(), record.People); n != 2 || err != nil {
		t.Errorf("%d stored, %v", n, err)
	}
}
