package access_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"kith/internal/postgres/operation"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// Concurrent requests get no more than a bucket holds, and a bucket gives what it gains.
func TestBucketsGiveNoMoreThanTheyHold(t *testing.T) {
	db := pgtest.NewDataset(t)
	limits := db.Limits()
	var given atomic.Int64
	var all errgroup.Group
	for range 30 {
		all.Go(func() error {
			n, left, err := limits.Take(t.Context(), [32]byte{1}, 7, 0.0001, 100)
			given.Add(int64(n))
			if left < 0 || left > 100 {
				err = fmt.Errorf("%v are left, %w", left, err)
			}
			return err
		})
	}
	expect.NoError(t, all.Wait())
	if given.Load() != 100 {
		t.Errorf("%d of 100 requests were granted", given.Load())
	}
	if n, _, err := limits.Take(t.Context(), [32]byte{2}, 7, 1, 5); n != 5 || err != nil {
		t.Errorf("another bucket has %d, %v", n, err)
	}
	for i, want := range []bool{true, false, true} {
		if ok, left, err := limits.TakeAll(t.Context(), [32]byte{3}, []int{7, 4, 3}[i], 0.0001, 10); ok != want ||
			err != nil || left < 0 {
			t.Errorf("try %d: %v, %v left, %v", i, ok, left, err)
		}
	}
	pgtest.Exec(t, db, "update rate_buckets set at = at - interval '1 minute'")
	if n, _, err := limits.Take(t.Context(), [32]byte{2}, 7, 0.05, 5); n != 3 || err != nil {
		t.Errorf("after a minute the bucket has %d, %v", n, err)
	}
	pgtest.Exec(t, db, "update rate_buckets set at = at - interval '2 days'")
	expect.NoError(t, limits.Tidy(t.Context()))
	left := 0
	expect.NoError(t, db.Pool().QueryRow(t.Context(), "select count(*) from rate_buckets").Scan(&left))
	if left != 0 {
		t.Errorf("%d full buckets are still stored", left)
	}
}

func TestProcessesReportTheirDifferences(t *testing.T) {
	db := pgtest.NewDataset(t)
	a := operation.Process{
		ID: "a", Host: "one", PID: 1, Version: "1", Started: time.Now(),
		Settings: map[string]string{"--rate": "100", "--burst": "1"},
	}
	b := operation.Process{
		ID: "b", Host: "two", PID: 2, Version: "1", Started: time.Now(),
		Settings: map[string]string{"--rate": "50", "--burst": "1"},
	}
	for _, p := range []operation.Process{a, b, a} {
		expect.NoError(t, db.Operation().Announce(t.Context(), p))
	}
	all, err := db.Operation().Processes(t.Context())
	if err != nil || len(all) != 2 || fmt.Sprint(all[0].Differences(all[1])) != "map[--rate:[100 50]]" {
		t.Errorf("got the processes %+v, %v, want two that differ in --rate", all, err)
	}
	expect.NoError(t, db.Operation().Withdraw(t.Context(), "b"))
	pgtest.Exec(t, db, "update processes set seen_at = seen_at - interval '1 minute'")
	if all, err := db.Operation().Processes(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("got the processes %+v, %v, want none", all, err)
	}
}
