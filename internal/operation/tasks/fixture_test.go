package tasks_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/rs/zerolog"

	"kith/internal/operation/tasks"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// args are the arguments of a task of any kind.
type args struct {
	kind    string
	Key     string `json:"key" river:"unique"`
	Payload int    `json:"payload,omitempty"`
}

func (a args) Kind() string { return a.kind }

// kind is a kind of task with its work.
type kind struct {
	river.WorkerDefaults[args]
	name    string
	timeout time.Duration
	// workers gives the kind its own queue.
	workers int
	work    func(context.Context, *river.Job[args]) error
}

func (k kind) Timeout(*river.Job[args]) time.Duration { return k.timeout }

func (k kind) Work(ctx context.Context, task *river.Job[args]) error { return k.work(ctx, task) }

func (k kind) add(c *river.Config) {
	river.AddWorkerArgs(c.Workers, args{kind: k.name}, k)
	if k.workers > 0 {
		c.Queues[k.name] = river.QueueConfig{MaxWorkers: k.workers}
	} else {
		c.Queues[river.QueueDefault] = river.QueueConfig{MaxWorkers: 8}
	}
}

func newQueue(t *testing.T, pool *pgxpool.Pool, kinds ...kind) *tasks.Queue {
	t.Helper()
	var work []func(*river.Config)
	for _, k := range kinds {
		work = append(work, k.add)
	}
	return newQueueWith(t, pool, work...)
}

func newQueueWith(t *testing.T, pool *pgxpool.Pool, work ...func(*river.Config)) *tasks.Queue {
	t.Helper()
	if len(work) > 0 {
		work = append(work, pgtest.RetryAtOnce)
	}
	q, err := tasks.New(pool, tasks.Config{Schema: pgtest.Schema, Logger: zerolog.Nop(), Work: work})
	expect.NoError(t, err)
	return q
}

// task is a task to queue.
type task struct {
	kind, queue, key   string
	payload            int
	priority, attempts int
	at                 time.Time
}

func (t task) params() river.InsertManyParams {
	opts := &river.InsertOpts{Queue: t.queue, Priority: t.priority, MaxAttempts: t.attempts, ScheduledAt: t.at}
	if t.key != "" {
		opts.UniqueOpts = tasks.WhileOpen()
	}
	return river.InsertManyParams{Args: args{kind: t.kind, Key: t.key, Payload: t.payload}, InsertOpts: opts}
}

// inserted is a queued task. joined is true if it was already open.
type inserted struct {
	id     int64
	joined bool
}

func insertTx(ctx context.Context, tx pgx.Tx, q *tasks.Queue, list ...task) ([]inserted, error) {
	params := make([]river.InsertManyParams, len(list))
	for i, j := range list {
		params[i] = j.params()
	}
	results, err := q.Insert(ctx, tx, params)
	out := make([]inserted, len(results))
	for i, r := range results {
		out[i] = inserted{r.Job.ID, r.UniqueSkippedAsDuplicate}
	}
	return out, err
}

func insert(t *testing.T, pool *pgxpool.Pool, q *tasks.Queue, list ...task) (out []inserted) {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) (err error) {
		out, err = insertTx(t.Context(), tx, q, list...)
		return err
	})
	expect.NoError(t, err)
	return out
}
