package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith/internal/operation/tasks"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func migrated(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.Pool(t)
	for range 2 {
		expect.NoError(t, tasks.Migrate(t.Context(), pool, pgtest.Schema, 0))
	}
	return pool
}

// run runs the queue in the background until the test ends.
func run(t *testing.T, q *tasks.Queue) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- q.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("the queue ended with %v", err)
		}
	})
}

// ends waits until a task has ended.
func ends(t *testing.T, q *tasks.Queue, id int64) tasks.Info {
	t.Helper()
	deadline := time.After(time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		list, err := q.List(t.Context(), tasks.Filter{Limit: 100})
		expect.NoError(t, err)
		for _, i := range list {
			if i.ID == id && !i.Ended.IsZero() {
				return i
			}
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("task %d did not end: %+v", id, list)
		}
	}
}

func TestOutcomesOfTasks(t *testing.T) {
	var panics, puts atomic.Int64
	pool := migrated(t)
	q := newQueue(t, pool,
		kind{name: "fine", work: func(_ context.Context, task *river.Job[args]) error {
			if task.Args.Payload != 7 || task.Args.Key != "k" {
				t.Errorf("the task has the arguments %+v", task.Args)
			}
			return nil
		}},
		kind{name: "final", work: func(context.Context, *river.Job[args]) error {
			return river.JobCancel(&tasks.Failure{Code: "NO_GOOD", Message: "it is no good"})
		}},
		kind{name: "flaky", work: func(_ context.Context, task *river.Job[args]) error {
			if task.Attempt < 3 {
				return &tasks.Failure{Code: "NOT_YET", Message: "wait"}
			}
			return nil
		}},
		kind{
			name: "hopeless",
			work: func(context.Context, *river.Job[args]) error { return errors.New("broken: pipe") },
		},
		kind{name: "later", work: func(_ context.Context, task *river.Job[args]) error {
			if puts.Add(1) < 9 {
				return tasks.Postpone(task.JobRow, time.Millisecond, &tasks.Failure{Code: "BUSY", Message: "busy"})
			}
			if task.Attempt != 1 {
				t.Errorf("a postponed run counted as attempt %d", task.Attempt)
			}
			return nil
		}},
		kind{
			name: "crash",
			work: func(context.Context, *river.Job[args]) error { panics.Add(1); panic("a defect") },
		},
		kind{
			name: "stuck", timeout: 50 * time.Millisecond,
			work: func(ctx context.Context, _ *river.Job[args]) error {
				<-ctx.Done()
				return ctx.Err()
			},
		},
	)
	run(t, q)
	for _, c := range []struct {
		task  task
		state tasks.State
		code  string
	}{
		{task{kind: "fine", key: "k", payload: 7}, tasks.Succeeded, ""},
		{task{kind: "final"}, tasks.Failed, "NO_GOOD"},
		{task{kind: "flaky"}, tasks.Succeeded, "NOT_YET"},
		{task{kind: "hopeless", attempts: 2}, tasks.Failed, tasks.CodeInternal},
		{task{kind: "later"}, tasks.Succeeded, ""},
		{task{kind: "crash", attempts: 10}, tasks.Failed, tasks.CodeSetAside},
		{task{kind: "stuck", attempts: 1}, tasks.Failed, tasks.CodeInternal},
	} {
		t.Run(c.task.kind, func(t *testing.T) {
			c.task.priority = tasks.Now
			got := ends(t, q, insert(t, pool, q, c.task)[0].id)
			if got.State != c.state || got.Reason.Code != c.code {
				t.Errorf("%+v, want %s %s", got, c.state, c.code)
			}
		})
	}
	if n := panics.Load(); n != 3 {
		t.Errorf("it crashed %d times, want 3", n)
	}
}

// A task whose process died runs again, but not forever. The test stores the errors that River
// notes for such attempts; another test kills a real server.
func TestTaskIsSetAsideAfterThreeDeathsOfItsProcess(t *testing.T) {
	var worked atomic.Int64
	pool := migrated(t)
	q := newQueue(t, pool, kind{
		name: "deadly",
		work: func(context.Context, *river.Job[args]) error { worked.Add(1); return nil },
	})
	ids := insert(t, pool, q, task{kind: "deadly", key: "twice", priority: tasks.Now},
		task{kind: "deadly", key: "thrice", priority: tasks.Now})
	for i, id := range ids {
		_, err := pool.Exec(t.Context(), `update river_job set attempt = $2::int, errors = (select
				array_agg(jsonb_build_object(
				'at', now(), 'attempt', n, 'error', 'Stuck job rescued by JobRescuer', 'trace', ''))
				from generate_series(1, $2::int) n)
			where id = $1`, id.id, i+2)
		expect.NoError(t, err)
	}
	run(t, q)
	if got := ends(t, q, ids[0].id); got.State != tasks.Succeeded {
		t.Errorf("after two deaths: %+v", got)
	}
	if got := ends(t, q, ids[1].id); got.State != tasks.Failed || got.Reason.Code != tasks.CodeSetAside {
		t.Errorf("after three deaths: %+v", got)
	}
	if n := worked.Load(); n != 1 {
		t.Errorf("%d tasks ran, want 1", n)
	}
}

func TestTasksWithOneKeyAreJoined(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool)
	first := insert(t, pool, q, task{kind: "some", key: "a", priority: tasks.Scheduled},
		task{kind: "some", key: "b", priority: tasks.Soon})
	second := insert(t, pool, q, task{kind: "some", key: "a", payload: 1, priority: tasks.Now},
		task{kind: "other", key: "a", priority: tasks.Soon})
	if first[0].joined || first[0].id == first[1].id || !second[0].joined || second[0].id != first[0].id ||
		second[1].joined {
		t.Errorf("requests for one key were not joined: %+v, %+v", first, second)
	}
	list, err := q.List(t.Context(), tasks.Filter{Kind: "some", State: tasks.Waiting, Limit: 10})
	if err != nil || len(list) != 2 || list[1].Key != "a" || list[1].Priority != tasks.Now {
		t.Errorf("got the tasks %+v, %v", list, err)
	}
}

// Two requests for the same tasks, in any order, must not deadlock.
func TestConcurrentRequestsForTheSameTasksDoNotDeadlock(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool)
	for round := range 10 {
		var list []task
		for i := range 100 {
			list = append(list, task{kind: "some", key: fmt.Sprint(round, "-", i), priority: tasks.Now})
		}
		back := slices.Clone(list)
		slices.Reverse(back)
		queued := make([][]inserted, 2)
		var both errgroup.Group
		for i, wanted := range [][]task{list, back} {
			both.Go(func() error {
				return pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) (err error) {
					queued[i], err = insertTx(t.Context(), tx, q, wanted...)
					return err
				})
			})
		}
		expect.NoError(t, both.Wait())
		slices.Reverse(queued[1])
		for i := range list {
			if queued[0][i].id != queued[1][i].id || queued[0][i].joined == queued[1][i].joined {
				t.Fatalf("task %d differs: %+v, %+v", i, queued[0][i], queued[1][i])
			}
		}
	}
}

func TestFailedTransactionQueuesNothing(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool)
	stop := errors.New("stop")
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		if _, err := insertTx(t.Context(), tx, q, task{kind: "some", priority: tasks.Now}); err != nil {
			return err
		}
		return stop
	})
	list, listErr := q.List(t.Context(), tasks.Filter{Limit: 10})
	if !errors.Is(err, stop) || listErr != nil || len(list) != 0 {
		t.Errorf("got %v, %v and the tasks %+v, want none", err, listErr, list)
	}
}

func TestCancelStopsATask(t *testing.T) {
	pool := migrated(t)
	working := make(chan struct{})
	q := newQueue(t, pool, kind{name: "long", work: func(ctx context.Context, _ *river.Job[args]) error {
		close(working)
		<-ctx.Done()
		return ctx.Err()
	}})
	cancel := func(id int64) {
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return q.Cancel(t.Context(), tx, id) })
		if err != nil {
			t.Error(err)
		}
	}
	waits := insert(t, pool, q, task{kind: "long", priority: tasks.Now})[0].id
	cancel(waits)
	if got := ends(t, q, waits); got.State != tasks.Canceled {
		t.Errorf("the waiting task ended as %+v", got)
	}
	run(t, q)
	works := insert(t, pool, q, task{kind: "long", priority: tasks.Now})[0].id
	<-working
	cancel(works)
	if got := ends(t, q, works); got.State != tasks.Canceled || got.Reason.Code != "" {
		t.Errorf("the running task ended as %+v", got)
	}
	cancel(works)
	cancel(1 << 40)
}

// The limit of a list of failed tasks is not used up by canceled ones, and vice versa.
func TestListLimitAppliesToEachState(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool, kind{name: "some", work: func(context.Context, *river.Job[args]) error {
		return river.JobCancel(&tasks.Failure{Code: "NO_GOOD", Message: "it is no good"})
	}})
	run(t, q)
	for range 2 {
		ends(t, q, insert(t, pool, q, task{kind: "some", priority: tasks.Now})[0].id)
		later := insert(t, pool, q, task{kind: "some", priority: tasks.Now, at: time.Now().Add(time.Hour)})[0].id
		if err := pgx.BeginFunc(t.Context(), pool,
			func(tx pgx.Tx) error { return q.Cancel(t.Context(), tx, later) }); err != nil {
			t.Fatal(err)
		}
	}
	for state, want := range map[tasks.State]int{tasks.Failed: 2, tasks.Canceled: 2, tasks.Succeeded: 0} {
		list, err := q.List(t.Context(), tasks.Filter{State: state, Limit: 2})
		if err != nil || len(list) != want || slices.ContainsFunc(list,
			func(i tasks.Info) bool { return i.State != state }) {
			t.Errorf("%s: %+v, %v", state, list, err)
		}
	}
}

// New requests do not join a canceled task that has not stopped yet.
func TestCanceledWorkIsNotJoined(t *testing.T) {
	pool := migrated(t)
	working, stop := make(chan struct{}), make(chan struct{})
	var times atomic.Int64
	q := newQueue(t, pool, kind{name: "long", work: func(ctx context.Context, _ *river.Job[args]) error {
		if times.Add(1) > 1 {
			return nil
		}
		close(working)
		<-ctx.Done()
		<-stop // the work ignores the cancellation for a while
		return ctx.Err()
	}})
	run(t, q)
	work := task{kind: "long", key: "a", priority: tasks.Now}
	first := insert(t, pool, q, work)[0]
	<-working
	if again := insert(t, pool, q, work)[0]; !again.joined || again.id != first.id {
		t.Errorf("a second request did not join the running task: %+v, %+v", first, again)
	}
	if err := pgx.BeginFunc(t.Context(), pool,
		func(tx pgx.Tx) error { return q.Cancel(t.Context(), tx, first.id) }); err != nil {
		t.Fatal(err)
	}
	second := insert(t, pool, q, work)[0]
	if second.joined || second.id == first.id {
		t.Errorf("a new request joined the canceled task: %+v, %+v", first, second)
	}
	if got := ends(t, q, second.id); got.State != tasks.Succeeded {
		t.Errorf("the second task ended as %+v", got)
	}
	close(stop)
	if got := ends(t, q, first.id); got.State != tasks.Canceled {
		t.Errorf("the first task ended as %+v", got)
	}
}

// The queue starts while Postgres is down, and waits for it.
func TestRunWaitsForPostgres(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServer(t)
	pool := server.Pool(t)
	expect.NoError(t, tasks.Migrate(t.Context(), pool, pgtest.Schema, 0))
	tried := make(chan struct{}, 100)
	worked := make(chan struct{}, 1)
	work := kind{name: "work", timeout: time.Second, work: func(context.Context, *river.Job[args]) error {
		worked <- struct{}{}
		return nil
	}}
	q, err := tasks.New(pool, tasks.Config{
		Schema: pgtest.Schema, Logger: zerolog.Nop(), Work: []func(*river.Config){work.add},
		Away: func(error) bool {
			tried <- struct{}{}
			return true
		},
	})
	expect.NoError(t, err)
	server.Stop(t)
	run(t, q)
	<-tried
	server.Start(t)
	insert(t, pool, q, task{kind: "work", key: "1"})
	<-worked
}
