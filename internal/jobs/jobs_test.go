package jobs_test

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
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith/internal/jobs"
	"kith/internal/pgtest"
)

func migrated(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.Pool(t)
	for range 2 {
		if err := jobs.Migrate(t.Context(), pool, pgtest.Schema); err != nil {
			t.Fatal(err)
		}
	}
	return pool
}

func newQueue(t *testing.T, pool *pgxpool.Pool, kinds ...jobs.Kind) *jobs.Queue {
	t.Helper()
	q, err := jobs.New(pool, jobs.Config{
		Schema: pgtest.Schema, Logger: zerolog.Nop(), Kinds: kinds,
		Backoff: func(int) time.Duration { return time.Millisecond },
	})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// run works in the background until the test ends.
func run(t *testing.T, q *jobs.Queue) {
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

func insert(t *testing.T, pool *pgxpool.Pool, q *jobs.Queue, list ...jobs.Job) []jobs.Queued {
	t.Helper()
	var out []jobs.Queued
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) (err error) {
		out, err = q.Insert(t.Context(), tx, list)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ends waits until a job has ended.
func ends(t *testing.T, q *jobs.Queue, id int64) jobs.Info {
	t.Helper()
	deadline := time.After(time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		list, err := q.List(t.Context(), jobs.Filter{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list {
			if i.ID == id && !i.Ended.IsZero() {
				return i
			}
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("job %d does not end: %+v", id, list)
		}
	}
}

func TestOutcomes(t *testing.T) {
	var panics, puts atomic.Int64
	pool := migrated(t)
	q := newQueue(t, pool,
		jobs.Kind{Name: "fine", Work: func(_ context.Context, task jobs.Task) error {
			var n int
			if err := task.Decode(&n); err != nil || n != 7 || task.Key != "k" {
				t.Errorf("%d, %q, %v", n, task.Key, err)
			}
			return nil
		}},
		jobs.Kind{Name: "final", Work: func(context.Context, jobs.Task) error {
			return &jobs.Failure{Code: "NO_GOOD", Message: "it is no good"}
		}},
		jobs.Kind{Name: "flaky", Work: func(_ context.Context, task jobs.Task) error {
			if task.Attempt < 3 {
				return &jobs.Failure{Code: "NOT_YET", Message: "wait", Again: true}
			}
			return nil
		}},
		jobs.Kind{
			Name: "hopeless", Attempts: 2,
			Work: func(context.Context, jobs.Task) error { return errors.New("broken: pipe") },
		},
		jobs.Kind{Name: "later", Work: func(_ context.Context, task jobs.Task) error {
			if puts.Add(1) < 9 {
				return &jobs.Failure{Code: "BUSY", Message: "busy", Again: true, After: time.Millisecond}
			}
			if task.Attempt != 1 {
				t.Errorf("putting off counted as attempt %d", task.Attempt)
			}
			return nil
		}},
		jobs.Kind{
			Name: "crash", Attempts: 10,
			Work: func(context.Context, jobs.Task) error { panics.Add(1); panic("a defect") },
		},
		jobs.Kind{
			Name: "stuck", Timeout: 50 * time.Millisecond, Attempts: 1,
			Work: func(ctx context.Context, _ jobs.Task) error {
				<-ctx.Done()
				return ctx.Err()
			},
		},
	)
	run(t, q)
	for _, c := range []struct {
		job   jobs.Job
		state jobs.State
		code  string
	}{
		{jobs.Job{Kind: "fine", Key: "k", Payload: 7}, jobs.Succeeded, ""},
		{jobs.Job{Kind: "final"}, jobs.Failed, "NO_GOOD"},
		{jobs.Job{Kind: "flaky"}, jobs.Succeeded, "NOT_YET"},
		{jobs.Job{Kind: "hopeless"}, jobs.Failed, jobs.CodeInternal},
		{jobs.Job{Kind: "later"}, jobs.Succeeded, ""},
		{jobs.Job{Kind: "crash"}, jobs.Failed, jobs.CodeSetAside},
		{jobs.Job{Kind: "stuck"}, jobs.Failed, jobs.CodeInternal},
	} {
		t.Run(c.job.Kind, func(t *testing.T) {
			c.job.Priority = jobs.Now
			got := ends(t, q, insert(t, pool, q, c.job)[0].ID)
			if got.State != c.state || got.Reason.Code != c.code {
				t.Errorf("%+v, want %s %s", got, c.state, c.code)
			}
		})
	}
	if n := panics.Load(); n != 3 {
		t.Errorf("it crashed %d times, want 3", n)
	}
}

// A job whose process died under it is given to another, but not for ever. The
// errors are what River notes of such attempts; that it does is seen where a
// server is killed.
func TestAJobWhoseProcessDiedThreeTimesIsSetAside(t *testing.T) {
	var worked atomic.Int64
	pool := migrated(t)
	q := newQueue(t, pool, jobs.Kind{
		Name: "deadly", Attempts: 5,
		Work: func(context.Context, jobs.Task) error { worked.Add(1); return nil },
	})
	ids := insert(t, pool, q, jobs.Job{Kind: "deadly", Key: "twice", Priority: jobs.Now},
		jobs.Job{Kind: "deadly", Key: "thrice", Priority: jobs.Now})
	for i, id := range ids {
		_, err := pool.Exec(t.Context(), `update river_job set attempt = $2::int, errors = (select
				array_agg(jsonb_build_object(
				'at', now(), 'attempt', n, 'error', 'Stuck job rescued by JobRescuer', 'trace', ''))
				from generate_series(1, $2::int) n)
			where id = $1`, id.ID, i+2)
		if err != nil {
			t.Fatal(err)
		}
	}
	run(t, q)
	if got := ends(t, q, ids[0].ID); got.State != jobs.Succeeded {
		t.Errorf("after two deaths: %+v", got)
	}
	if got := ends(t, q, ids[1].ID); got.State != jobs.Failed || got.Reason.Code != jobs.CodeSetAside {
		t.Errorf("after three deaths: %+v", got)
	}
	if n := worked.Load(); n != 1 {
		t.Errorf("%d were worked on, want 1", n)
	}
}

func TestKeysJoin(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool)
	first := insert(t, pool, q, jobs.Job{Kind: "some", Key: "a", Priority: jobs.Scheduled},
		jobs.Job{Kind: "some", Key: "b", Priority: jobs.Soon})
	second := insert(t, pool, q, jobs.Job{Kind: "some", Key: "a", Payload: "other", Priority: jobs.Now},
		jobs.Job{Kind: "other", Key: "a", Priority: jobs.Soon})
	if first[0].Joined || first[0].ID == first[1].ID || !second[0].Joined || second[0].ID != first[0].ID ||
		second[1].Joined {
		t.Errorf("%+v, %+v", first, second)
	}
	list, err := q.List(t.Context(), jobs.Filter{Kind: "some", State: jobs.Waiting, Limit: 10})
	if err != nil || len(list) != 2 || list[1].Key != "a" || list[1].Priority != jobs.Now {
		t.Errorf("%+v, %v", list, err)
	}
}

// Two requests for the same jobs, in whatever order each has them, wait for one
// another and not each for the other.
func TestTheSameJobsAtOnce(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool)
	for round := range 10 {
		var list []jobs.Job
		for i := range 100 {
			list = append(list, jobs.Job{Kind: "some", Key: fmt.Sprint(round, "-", i), Priority: jobs.Now})
		}
		back := slices.Clone(list)
		slices.Reverse(back)
		queued := make([][]jobs.Queued, 2)
		var both errgroup.Group
		for i, wanted := range [][]jobs.Job{list, back} {
			both.Go(func() error {
				return pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) (err error) {
					queued[i], err = q.Insert(t.Context(), tx, wanted)
					return err
				})
			})
		}
		if err := both.Wait(); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(queued[1])
		for i := range list {
			if queued[0][i].ID != queued[1][i].ID || queued[0][i].Joined == queued[1][i].Joined {
				t.Fatalf("job %d: %+v, %+v", i, queued[0][i], queued[1][i])
			}
		}
	}
}

func TestATransactionThatFailsQueuesNothing(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool)
	stop := errors.New("stop")
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		if _, err := q.Insert(t.Context(), tx, []jobs.Job{{Kind: "some", Priority: jobs.Now}}); err != nil {
			return err
		}
		return stop
	})
	list, listErr := q.List(t.Context(), jobs.Filter{Limit: 10})
	if !errors.Is(err, stop) || listErr != nil || len(list) != 0 {
		t.Errorf("%v, %v, %+v", err, listErr, list)
	}
}

func TestCancel(t *testing.T) {
	pool := migrated(t)
	working := make(chan struct{})
	q := newQueue(t, pool, jobs.Kind{Name: "long", Work: func(ctx context.Context, _ jobs.Task) error {
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
	waits := insert(t, pool, q, jobs.Job{Kind: "long", Priority: jobs.Now})[0].ID
	cancel(waits)
	if got := ends(t, q, waits); got.State != jobs.Canceled {
		t.Errorf("%+v", got)
	}
	run(t, q)
	works := insert(t, pool, q, jobs.Job{Kind: "long", Priority: jobs.Now})[0].ID
	<-working
	cancel(works)
	if got := ends(t, q, works); got.State != jobs.Canceled || got.Reason.Code != "" {
		t.Errorf("%+v", got)
	}
	cancel(works)
	cancel(1 << 40)
}

// A list of what failed is as long as it may be, whatever was canceled since, and
// the other way round.
func TestListOfOneState(t *testing.T) {
	pool := migrated(t)
	q := newQueue(t, pool, jobs.Kind{Name: "some", Work: func(context.Context, jobs.Task) error {
		return &jobs.Failure{Code: "NO_GOOD", Message: "it is no good"}
	}})
	run(t, q)
	for range 2 {
		ends(t, q, insert(t, pool, q, jobs.Job{Kind: "some", Priority: jobs.Now})[0].ID)
		later := insert(t, pool, q, jobs.Job{Kind: "some", Priority: jobs.Now, At: time.Now().Add(time.Hour)})[0].ID
		if err := pgx.BeginFunc(t.Context(), pool,
			func(tx pgx.Tx) error { return q.Cancel(t.Context(), tx, later) }); err != nil {
			t.Fatal(err)
		}
	}
	for state, want := range map[jobs.State]int{jobs.Failed: 2, jobs.Canceled: 2, jobs.Succeeded: 0} {
		list, err := q.List(t.Context(), jobs.Filter{State: state, Limit: 2})
		if err != nil || len(list) != want || slices.ContainsFunc(list, func(i jobs.Info) bool { return i.State != state }) {
			t.Errorf("%s: %+v, %v", state, list, err)
		}
	}
}

// Work that has been told to stop, but has not yet stopped, is not joined.
func TestCanceledWorkIsNotJoined(t *testing.T) {
	pool := migrated(t)
	working, stop := make(chan struct{}), make(chan struct{})
	var times atomic.Int64
	q := newQueue(t, pool, jobs.Kind{Name: "long", Work: func(ctx context.Context, _ jobs.Task) error {
		if times.Add(1) > 1 {
			return nil
		}
		close(working)
		<-ctx.Done()
		<-stop // it takes its time
		return ctx.Err()
	}})
	run(t, q)
	job := jobs.Job{Kind: "long", Key: "a", Priority: jobs.Now}
	first := insert(t, pool, q, job)[0]
	<-working
	if again := insert(t, pool, q, job)[0]; !again.Joined || again.ID != first.ID {
		t.Errorf("%+v, %+v", first, again)
	}
	if err := pgx.BeginFunc(t.Context(), pool,
		func(tx pgx.Tx) error { return q.Cancel(t.Context(), tx, first.ID) }); err != nil {
		t.Fatal(err)
	}
	second := insert(t, pool, q, job)[0]
	if second.Joined || second.ID == first.ID {
		t.Errorf("%+v, %+v", first, second)
	}
	if got := ends(t, q, second.ID); got.State != jobs.Succeeded {
		t.Errorf("%+v", got)
	}
	close(stop)
	if got := ends(t, q, first.ID); got.State != jobs.Canceled {
		t.Errorf("%+v", got)
	}
}

// TestRunWaitsForPostgres begins to work while Postgres is away: it is waited for.
func TestRunWaitsForPostgres(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServer(t)
	pool := server.Pool(t)
	if err := jobs.Migrate(t.Context(), pool, pgtest.Schema); err != nil {
		t.Fatal(err)
	}
	tried := make(chan struct{}, 100)
	worked := make(chan struct{}, 1)
	kind := jobs.Kind{Name: "work", Timeout: time.Second, Work: func(context.Context, jobs.Task) error {
		worked <- struct{}{}
		return nil
	}}
	q, err := jobs.New(pool, jobs.Config{
		Schema: pgtest.Schema, Logger: zerolog.Nop(), Kinds: []jobs.Kind{kind},
		Away: func(error) bool {
			tried <- struct{}{}
			return true
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Stop(t)
	run(t, q)
	<-tried
	server.Start(t)
	insert(t, pool, q, jobs.Job{Kind: "work", Key: "1"})
	<-worked
}
