package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"kith/internal/jobs"
)

// What waits for a process that does not come is told, and fails after a while; what
// somebody works on, or is younger, goes on waiting.
func TestGiveUp(t *testing.T) {
	pool := migrated(t)
	work := kind{name: "work", work: func(context.Context, *river.Job[args]) error { return nil }}
	q := newQueue(t, pool)
	queued := insert(t, pool, q, job{kind: "work", key: "old"}, job{kind: "work", key: "new"},
		job{kind: "other", key: "old"})
	_, err := pool.Exec(t.Context(),
		"update river_job set created_at = now() - interval '25 hours' where args ->> 'key' = 'old'")
	if err != nil {
		t.Fatal(err)
	}
	waiting := func(want int, served bool) {
		t.Helper()
		b, err := q.Backlog(t.Context(), "work")
		if err != nil || b.Jobs != want || b.Served != served {
			t.Errorf("%+v, %v", b, err)
		}
	}
	giveUp := func(want int) {
		t.Helper()
		n, err := q.GiveUp(t.Context(), "work", 24*time.Hour, jobs.Failure{Code: "NOBODY", Message: "nobody was there"})
		if err != nil || n != want {
			t.Errorf("%d were given up, %v", n, err)
		}
	}
	waiting(2, false)
	for _, seen := range []string{"1 hour", "23 hours"} { // not for the hour, but within the day
		_, err := pool.Exec(t.Context(), `insert into river_queue (name, updated_at) values ('default', now() - $1::interval)
			on conflict (name) do update set updated_at = excluded.updated_at`, seen)
		if err != nil {
			t.Fatal(err)
		}
		waiting(2, false)
		giveUp(0)
	}
	if _, err := pool.Exec(t.Context(), "delete from river_queue"); err != nil {
		t.Fatal(err)
	}
	giveUp(1)
	waiting(1, false)
	if got := ends(t, q, queued[0].id); got.State != jobs.Failed || got.Reason.Code != "NOBODY" ||
		got.Reason.Message != "nobody was there" {
		t.Errorf("it ended as %+v", got)
	}
	worker := newQueue(t, pool, work)
	run(t, worker)
	if got := ends(t, q, queued[1].id); got.State != jobs.Succeeded {
		t.Errorf("the younger ended as %+v", got)
	}
	waiting(0, true)
	again := insert(t, pool, q, job{kind: "work", key: "old"})
	if again[0].joined {
		t.Error("a job that was given up is joined")
	}
}
