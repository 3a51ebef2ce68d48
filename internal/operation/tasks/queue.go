package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/rs/zerolog"
)

// Config configures a [Queue].
type Config struct {
	// Schema contains the tables of the queue; it must be on the search path of the pool.
	Schema string
	Logger zerolog.Logger
	// Away reports whether an error means that Postgres is temporarily unavailable; [Queue.Run] then waits. nil means
	// never.
	Away func(error) bool
	// Work adds the workers, queues and periodic tasks of this process to River's configuration. Without any it can
	// only queue. A kind that is left to other processes must be added, too, with [Elsewhere]: the process that looks
	// for tasks of crashed processes gives up those of unknown kinds.
	Work []func(*river.Config)
}

// MaxWorkers limits the tasks that a process can work on at once.
const MaxWorkers = river.QueueNumWorkersMax

const (
	// attempts limits the attempts of a task, timeout each of them.
	attempts = 5
	timeout  = 30 * time.Second
	// rescueAfter is how long a task runs before River gives it to another process, because its own is presumably gone.
	// It gives work that has timed out 10 s to stop. River looks every 30 s.
	rescueAfter = 40 * time.Second
	// softStop is how long running tasks may continue when the process stops.
	softStop = 5 * time.Second
	// keep is how long River keeps ended tasks. Code that needs their results for longer must copy them.
	keep = 48 * time.Hour
	// startPause is the delay before another attempt to start.
	startPause = time.Second
)

// Queue is the queue of one dataset. It is safe for concurrent use.
type Queue struct {
	client *river.Client[pgx.Tx]
	pool   *pgxpool.Pool
	log    zerolog.Logger
	away   func(error) bool
	works  bool
}

// New returns the queue in a database, whose tables [Migrate] must have created. It does no work until [Queue.Run].
func New(pool *pgxpool.Pool, cfg Config) (*Queue, error) {
	q := &Queue{pool: pool, log: cfg.Logger, away: cfg.Away, works: len(cfg.Work) > 0}
	rc := &river.Config{
		Schema: cfg.Schema, MaxAttempts: attempts, JobTimeout: timeout, RescueStuckJobsAfter: rescueAfter,
		Logger:                      logger(cfg.Logger),
		CompletedJobRetentionPeriod: keep, CancelledJobRetentionPeriod: keep, DiscardedJobRetentionPeriod: keep,
		FetchCooldown: 20 * time.Millisecond, SoftStopTimeout: softStop,
		Middleware: []rivertype.Middleware{river.WorkerMiddlewareFunc(setAside)},
	}
	if q.works {
		rc.Workers, rc.Queues = river.NewWorkers(), map[string]river.QueueConfig{}
	}
	for _, add := range cfg.Work {
		add(rc)
	}
	var err error
	if q.client, err = river.NewClient(riverpgxv5.New(pool), rc); err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return q, nil
}

// Run works on tasks until ctx ends. It then gives running tasks a few seconds, and aborts
// the rest, which are retried later.
func (q *Queue) Run(ctx context.Context) error {
	if !q.works {
		return fmt.Errorf("queue: there are no kinds of task to work on")
	}
	if err := q.start(ctx); err != nil {
		return err
	}
	<-q.client.Stopped()
	return ctx.Err()
}

// start starts River's client, and retries while Postgres is unavailable. River handles an
// outage by itself only after it has started.
func (q *Queue) start(ctx context.Context) error {
	for warned := false; ; warned = true {
		err := q.client.Start(ctx)
		if err == nil {
			return nil
		}
		if !isSlow(err) && (q.away == nil || !q.away(err)) {
			return fmt.Errorf("queue: %w", err)
		}
		if !warned {
			q.log.Warn().Err(err).Msg("tasks cannot be worked on at the moment; they wait in the queue")
		}
		select {
		case <-time.After(startPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isSlow reports whether Postgres took too long to start listening, for example under
// load. River exports no value for this error.
func isSlow(err error) bool {
	return strings.Contains(err.Error(), "timed out waiting for interrupt operation")
}
