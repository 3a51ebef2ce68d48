package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"kith/internal/jobs"
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
	queued := insert(t, pool, able, job{kind: "other", key: "waits"}, job{kind: "other", key: "orphan"})
	_, err := pool.Exec(t.Context(), "update river_job set state = 'running', attempt = 1, attempted_at = now() - "+
		"interval '1 hour' where id = $1", queued[1].id)
	if err != nil {
		t.Fatal(err)
	}
	run(t, newQueueOf(t, pool, clock, kind{name: "other", work: done, elsewhere: true}.add))
	for orphaned := true; orphaned; {
		<-ticks
		for _, i := range listed(t, able) {
			if !i.Ended.IsZero() || i.ID == queued[0].id && i.Attempt != 0 {
				t.Fatalf("the task ran in the wrong process: %+v", i)
			}
			if i.ID == queued[1].id {
				orphaned = i.State == jobs.Running
			}
		}
	}
	run(t, able)
	for _, job := range queued {
		if got := ends(t, able, job.id); got.State != jobs.Succeeded {
			t.Errorf("the task ended as %+v", got)
		}
	}
}

func listed(t *testing.T, q *jobs.Queue) []jobs.Info {
	t.Helper()
	list, err := q.List(t.Context(), jobs.Filter{Kind: "other", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
