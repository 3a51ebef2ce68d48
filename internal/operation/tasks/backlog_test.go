package tasks_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"kith/internal/operation/tasks"
	"kith/internal/test/expect"
)

// The backlog counts tasks that no process claims, and they fail after a day. Younger and running tasks are kept.
func TestUnclaimedTasksFailAfterADay(t *testing.T) {
	pool := migrated(t)
	work := kind{name: "work", work: func(context.Context, *river.Job[args]) error { return nil }}
	q := newQueue(t, pool)
	queued := insert(t, pool, q, task{kind: "work", key: "old"}, task{kind: "work", key: "new"},
		task{kind: "other", key: "old"})
	_, err := pool.Exec(t.Context(),
		"update river_job set created_at = now() - interval '25 hours' where args ->> 'key' = 'old'")
	expect.NoError(t, err)
	waiting := func(want int, served bool) {
		t.Helper()
		b, err := q.Backlog(t.Context(), "work")
		if err != nil || b.Tasks != want || b.Served != served {
			t.Errorf("got the backlog %+v, %v", b, err)
		}
	}
	giveUp := func(want int) {
		t.Helper()
		n, err := q.GiveUp(t.Context(), "work", 24*time.Hour, tasks.Failure{
			Code:    "NOBODY",
			Message: "nobody was there",
		})
		if err != nil || n != want {
			t.Errorf("%d tasks were given up, %v", n, err)
		}
	}
	waiting(2, false)
	for _, seen := range []string{"1 hour", "23 hours"} { // after the backlog's hour, within the day
		_, err := pool.Exec(t.Context(), `insert into river_queue (name, updated_at)
			values ('default', now() - $1::interval)
			on conflict (name) do update set updated_at = excluded.updated_at`, seen)
		expect.NoError(t, err)
		waiting(2, false)
		giveUp(0)
	}
	if _, err := pool.Exec(t.Context(), "delete from river_queue"); err != nil {
		t.Fatal(err)
	}
	giveUp(1)
	waiting(1, false)
	if got := ends(t, q, queued[0].id); got.State != tasks.Failed || got.Reason.Code != "NOBODY" ||
		got.Reason.Message != "nobody was there" {
		t.Errorf("the old task ended as %+v", got)
	}
	worker := newQueue(t, pool, work)
	run(t, worker)
	if got := ends(t, q, queued[1].id); got.State != tasks.Succeeded {
		t.Errorf("the younger task ended as %+v", got)
	}
	waiting(0, true)
	again := insert(t, pool, q, task{kind: "work", key: "old"})
	if again[0].joined {
		t.Error("a new request joined a task that was given up")
	}
}
