package conn_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func lockDB(t *testing.T) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), pgtest.URL(t), postgres.Options{MaxConns: 4})
	expect.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

// Waiting for a lock must not block its holder: CREATE INDEX CONCURRENTLY waits for every older snapshot.
func TestWaitingForALockHoldsNoSnapshot(t *testing.T) {
	db := lockDB(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	release, err := db.Lock(ctx, "drain")
	expect.NoError(t, err)
	var waiter sync.WaitGroup
	waiter.Go(func() {
		releaseToo, err := db.Lock(ctx, "drain")
		if err != nil {
			t.Errorf("the waiting process: %v", err)
			return
		}
		releaseToo()
	})
	if _, err := db.Pool().Exec(ctx, "create table things (id int)"); err != nil {
		t.Fatal(err)
	}
	// The other process begins to wait during these statements.
	for range 50 {
		for _, sql := range []string{"create index concurrently things_id on things (id)", "drop index things_id"} {
			if _, err := db.Pool().Exec(ctx, sql); err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
		}
	}
	release()
	waiter.Wait()
}

// A process that takes a lock repeatedly lets others have it in between.
func TestLockIsFair(t *testing.T) {
	db := lockDB(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	got := make(chan struct{})
	release, err := db.Lock(ctx, "drain")
	expect.NoError(t, err)
	go func() {
		defer close(got)
		releaseToo, err := db.Lock(ctx, "drain")
		if err != nil {
			t.Errorf("the waiting process: %v", err)
			return
		}
		releaseToo()
	}()
	for waiting := true; waiting; {
		release()
		release, err = db.Lock(ctx, "drain")
		expect.NoError(t, err)
		select {
		case <-got:
			waiting = false
		default:
		}
	}
	release()
}

// A lock can be taken right after its release, so a reindex that follows another is not refused.
func TestReleasedLockIsFreeAtOnce(t *testing.T) {
	db := lockDB(t)
	release, err := db.Lock(t.Context(), "reindex")
	for range 200 {
		expect.NoError(t, err)
		release()
		var ok bool
		if release, ok, err = db.TryLock(t.Context(), "reindex"); err == nil && !ok {
			t.Fatal("the released lock is still taken")
		}
	}
	release()
}
