package tasks_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"kith/internal/operation/tasks"
	"kith/internal/test/expect"
)

// A process leaves tasks of a foreign kind alone, while it runs its own periodic ones. It releases
// those of a dead process for others.
func TestTasksOfOtherProcessesAreLeftAlone(t *testing.T) {
	pool := migrated(t)
	ticks := make(chan struct{})
	clock := every(20*time.Millisecond, clockArgs{}, func(ctx context.Context) error {
		select {
		case ticks <- struct{}{}:
		case <-ctx.Done():
		}
		return nil
	})
	done := func(context.Context, *river.Job[args]) error { return nil }
	able := newQueue(t, pool, kind{name: "other", work: done})
	queued := insert(t, pool, able, task{kind: "other", key: "waits"}, task{kind: "other", key: "orphan"})
	_, err := pool.Exec(t.Context(), "update river_job set state = 'running', attempt = 1, attempted_at = now() - "+
		"interval '1 hour' where id = $1", queued[1].id)
	expect.NoError(t, err)
	run(t, newQueueWith(t, pool, clock, tasks.Elsewhere[otherArgs]))
	for orphaned := true; orphaned; {
		<-ticks
		for _, i := range listed(t, able) {
			if !i.Ended.IsZero() || i.ID == queued[0].id && i.Attempt != 0 {
				t.Fatalf("the task ran in the wrong process: %+v", i)
			}
			if i.ID == queued[1].id {
				orphaned = i.State == tasks.Running
			}
		}
	}
	run(t, able)
	for _, one := range queued {
		if got := ends(t, able, one.id); got.State != tasks.Succeeded {
			t.Errorf("the task ended as %+v", got)
		}
	}
}

type otherArgs struct{ args }

func (otherArgs) Kind() string { return "other" }

func listed(t *testing.T, q *tasks.Queue) []tasks.Info {
	t.Helper()
	list, err := q.List(t.Context(), tasks.Filter{Kind: "other", Limit: 100})
	expect.NoError(t, err)
	return list
}

// A kind with its own queue runs in a process that leaves all others alone.
func TestKindWithItsOwnQueueRuns(t *testing.T) {
	pool := migrated(t)
	done := func(context.Context, *river.Job[args]) error { return nil }
	asks := newQueue(t, pool)
	queued := insert(t, pool, asks, task{kind: "own", queue: "own", key: "a", priority: tasks.Now},
		task{kind: "other", key: "a", priority: tasks.Now})
	if again := insert(t, pool, asks, task{
		kind: "own", queue: "own", key: "a", priority: tasks.Now,
	}); !again[0].joined || again[0].id != queued[0].id {
		t.Errorf("a second request did not join the task: %+v, %+v", queued, again)
	}
	run(t, newQueueWith(t, pool, kind{name: "own", workers: 1, work: done}.add, tasks.Elsewhere[otherArgs]))
	if got := ends(t, asks, queued[0].id); got.State != tasks.Succeeded {
		t.Errorf("the task ended as %+v", got)
	}
	list, err := asks.List(t.Context(), tasks.Filter{Kind: "other", Limit: 10})
	if err != nil || len(list) != 1 || list[0].State != tasks.Waiting {
		t.Errorf("the other kind was not left waiting: %+v, %v", list, err)
	}
}

type clockArgs struct{}

func (clockArgs) Kind() string { return "clock" }

type longArgs struct{}

func (longArgs) Kind() string { return "long" }

func every[T river.JobArgs](interval time.Duration, args T, work func(context.Context) error) func(*river.Config) {
	return func(c *river.Config) { tasks.Every(c, interval, args, work) }
}

// Several processes run a periodic task only once at a time. The ticks of the clock task show that
// its next time has come, but it is not queued again until it has ended.
func TestPeriodicTasksRunOnceForAllProcesses(t *testing.T) {
	pool := migrated(t)
	const interval = 20 * time.Millisecond
	begun, release, ticks := make(chan struct{}, 100), make(chan struct{}), make(chan struct{})
	defer close(release)
	long := every(interval, longArgs{}, func(ctx context.Context) error {
		begun <- struct{}{}
		select {
		case <-release:
		case <-ctx.Done():
		}
		return nil
	})
	clock := every(interval, clockArgs{}, func(ctx context.Context) error {
		select {
		case ticks <- struct{}{}:
		case <-ctx.Done():
		}
		return nil
	})
	first, second := newQueueWith(t, pool, long, clock), newQueueWith(t, pool, long, clock)
	run(t, first)
	run(t, second)
	<-begun
	for range 4 {
		<-ticks
	}
	list, err := first.List(t.Context(), tasks.Filter{Kind: "long", Limit: 100})
	expect.NoError(t, err)
	// After a task of the clock has ended, another may be queued.
	open := slices.DeleteFunc(list, func(i tasks.Info) bool { return !i.Ended.IsZero() })
	if len(open) > 1 {
		t.Errorf("%d tasks are open: %+v", len(open), open)
	}
}
