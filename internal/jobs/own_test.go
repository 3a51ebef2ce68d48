package jobs_test

import (
	"context"
	"testing"

	"github.com/riverqueue/river"

	"kith/internal/jobs"
)

// A kind with its own queue runs in a process that leaves all others alone.
func TestKindWithItsOwnQueueRuns(t *testing.T) {
	pool := migrated(t)
	done := func(context.Context, *river.Job[args]) error { return nil }
	asks := newQueue(t, pool)
	queued := insert(t, pool, asks, job{kind: "own", queue: "own", key: "a", priority: jobs.Now},
		job{kind: "other", key: "a", priority: jobs.Now})
	if again := insert(t, pool, asks, job{
		kind: "own", queue: "own", key: "a",
		priority: jobs.Now,
	}); !again[0].joined || again[0].id != queued[0].id {
		t.Errorf("a second request did not join the task: %+v, %+v", queued, again)
	}
	run(t, newQueue(t, pool, kind{name: "own", workers: 1, work: done},
		kind{name: "other", work: done, elsewhere: true}))
	if got := ends(t, asks, queued[0].id); got.State != jobs.Succeeded {
		t.Errorf("the task ended as %+v", got)
	}
	list, err := asks.List(t.Context(), jobs.Filter{Kind: "other", Limit: 10})
	if err != nil || len(list) != 1 || list[0].State != jobs.Waiting {
		t.Errorf("the other kind was not left waiting: %+v, %v", list, err)
	}
}
