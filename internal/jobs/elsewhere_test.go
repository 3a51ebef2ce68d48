package jobs_test

import (
	"context"
	"testing"
	"time"

	"kith/internal/jobs"
)

// A process that leaves a kind of job to others leaves it be, at work on what comes
// by itself; and it hands on what another was at work on when it died.
func TestElsewhere(t *testing.T) {
	pool := migrated(t)
	ticks := make(chan struct{})
	clock := jobs.Kind{Name: "clock", Every: 20 * time.Millisecond, Work: func(ctx context.Context, _ jobs.Task) error {
		select {
		case ticks <- struct{}{}:
		case <-ctx.Done():
		}
		return nil
	}}
	done := func(context.Context, jobs.Task) error { return nil }
	able := newQueue(t, pool, jobs.Kind{Name: "other", Work: done})
	queued := insert(t, pool, able, jobs.Job{Kind: "other", Key: "waits"}, jobs.Job{Kind: "other", Key: "orphan"})
	_, err := pool.Exec(t.Context(), "update river_job set state = 'running', attempt = 1, attempted_at = now() - "+
		"interval '1 hour' where id = $1", queued[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	run(t, newQueue(t, pool, clock, jobs.Kind{Name: "other", Work: done, Elsewhere: true}))
	for orphaned := true; orphaned; {
		<-ticks
		for _, i := range listed(t, able) {
			if !i.Ended.IsZero() || i.ID == queued[0].ID && i.Attempt != 0 {
				t.Fatalf("the job was worked on: %+v", i)
			}
			if i.ID == queued[1].ID {
				orphaned = i.State == jobs.Running
			}
		}
	}
	run(t, able)
	for _, job := range queued {
		if got := ends(t, able, job.ID); got.State != jobs.Succeeded {
			t.Errorf("the job ended as %+v", got)
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
