package tasks_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"kith/internal/operation/tasks"
)

// A task that failed, was set aside or was canceled can be retried, and runs like a new one.
func TestRetryRunsEndedTasksAgain(t *testing.T) {
	pool := migrated(t)
	var healed atomic.Bool
	q := newQueue(t, pool, kind{name: "fragile", work: func(context.Context, *river.Job[args]) error {
		if healed.Load() {
			return nil
		}
		return river.JobCancel(&tasks.Failure{Code: "BROKEN", Message: "not yet"})
	}})
	run(t, q)
	failed := insert(t, pool, q, task{kind: "fragile", key: "a"})[0].id
	aside := insert(t, pool, q, task{kind: "fragile", key: "b"})[0].id
	canceled := insert(t, pool, q, task{kind: "fragile", key: "c", at: time.Now().Add(time.Hour)})[0].id
	if info := ends(t, q, failed); info.State != tasks.Failed || info.Reason.Code != "BROKEN" {
		t.Fatalf("the task did not fail: %+v", info)
	}
	ends(t, q, aside)
	if _, err := pool.Exec(t.Context(), `update river_job set errors = array_fill(
		'{"error":"Stuck job rescued","at":"2026-01-01T00:00:00Z","attempt":1,"trace":"x"}'::jsonb, array[3])
		where id = $1`, aside); err != nil {
		t.Fatal(err)
	}
	if info, err := q.End(t.Context(), canceled); err != nil || info.State != tasks.Canceled {
		t.Fatalf("the task was not canceled: %+v, %v", info, err)
	}
	if _, err := q.End(t.Context(), canceled); !errors.Is(err, tasks.ErrEnded) {
		t.Errorf("a second End of a task: %v", err)
	}
	healed.Store(true)
	for _, id := range []int64{failed, aside, canceled} {
		if _, err := q.Retry(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if info := ends(t, q, id); info.State != tasks.Succeeded || info.Attempt != 1 {
			t.Errorf("the retried task ended as %+v", info)
		}
	}
	if _, err := q.Retry(t.Context(), failed); !errors.Is(err, tasks.ErrNotFailed) {
		t.Errorf("retry of a succeeded task: %v", err)
	}
	if _, err := q.Retry(t.Context(), 1<<40); !errors.Is(err, tasks.ErrNotFound) {
		t.Errorf("retry of an unknown task: %v", err)
	}
}

// At most one of two tasks with the same key is open.
func TestRetryRefusesATaskThatIsOpenAgain(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool, kind{name: "later", work: func(context.Context, *river.Job[args]) error { return nil }})
	at := time.Now().Add(time.Hour)
	first := insert(t, pool, q, task{kind: "later", key: "a", at: at})[0].id
	if _, err := q.End(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	insert(t, pool, q, task{kind: "later", key: "a", at: at})
	if _, err := q.Retry(t.Context(), first); !errors.Is(err, tasks.ErrJoined) {
		t.Errorf("got %v, want ErrJoined", err)
	}
}
