package jobs_test

import (
	"context"
	"testing"

	"kith/internal/jobs"
)

// A kind with a queue of its own is worked on where the others are left to other processes.
func TestQueueOfItsOwn(t *testing.T) {
	pool := migrated(t)
	done := func(context.Context, jobs.Task) error { return nil }
	asks := newQueue(t, pool)
	queued := insert(t, pool, asks, jobs.Job{Kind: "own", Queue: "own", Key: "a", Priority: jobs.Now},
		jobs.Job{Kind: "other", Key: "a", Priority: jobs.Now})
	if again := insert(t, pool, asks, jobs.Job{
		Kind: "own", Queue: "own", Key: "a",
		Priority: jobs.Now,
	}); !again[0].Joined || again[0].ID != queued[0].ID {
		t.Errorf("%+v, %+v", queued, again)
	}
	run(t, newQueue(t, pool, jobs.Kind{Name: "own", Workers: 1, Work: done},
		jobs.Kind{Name: "other", Work: done, Elsewhere: true}))
	if got := ends(t, asks, queued[0].ID); got.State != jobs.Succeeded {
		t.Errorf("%+v", got)
	}
	list, err := asks.List(t.Context(), jobs.Filter{Kind: "other", Limit: 10})
	if err != nil || len(list) != 1 || list[0].State != jobs.Waiting {
		t.Errorf("%+v, %v", list, err)
	}
}
