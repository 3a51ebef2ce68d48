package tasks_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"kith/internal/tasks"
)

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
	first, second := newQueueOf(t, pool, long, clock), newQueueOf(t, pool, long, clock)
	run(t, first)
	run(t, second)
	<-begun
	for range 4 {
		<-ticks
	}
	list, err := first.List(t.Context(), tasks.Filter{Kind: "long", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	// After a task of the clock has ended, another may be queued.
	open := slices.DeleteFunc(list, func(i tasks.Info) bool { return !i.Ended.IsZero() })
	if len(open) > 1 {
		t.Errorf("%d tasks are open: %+v", len(open), open)
	}
}
