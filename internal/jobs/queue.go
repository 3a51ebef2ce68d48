package jobs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/rs/zerolog"
)

// Config configures a [Queue]; zero values take the defaults given below.
type Config struct {
	// Schema contains the tables of the queue; it must be on the search path of the pool.
	Schema string
	Logger zerolog.Logger
	// Kinds are the kinds that this process works on. Without any it can only queue.
	Kinds []Kind
	// Workers limits the tasks that this process works on at once: 8, at most MaxWorkers.
	Workers int
	// RescueAfter is how long a task runs before River gives it to another process, because
	// its own is presumably gone: 40 s. River looks every 30 s. RescueAfter must exceed the
	// timeout of every kind by the time that work needs to stop.
	RescueAfter time.Duration
	// Backoff is the delay after a failed attempt, counted from 1. The default grows: 1 s, 16
	// s, 81 s, and so on.
	Backoff func(attempt int) time.Duration
	// Away reports whether an error means that Postgres is temporarily unavailable;
	// [Queue.Run] then waits. nil means never.
	Away func(error) bool
}

// MaxWorkers limits the tasks that a process can work on at once.
const MaxWorkers = river.QueueNumWorkersMax

const (
	defaultTimeout  = 30 * time.Second
	defaultAttempts = 5
	// defaultRescue gives work that has timed out 10 s to stop.
	defaultRescue = 40 * time.Second
	// softStop is how long running tasks may continue when the process stops.
	softStop = 5 * time.Second
	// keep is how long River keeps ended tasks. Code that needs their results for longer must
	// copy them.
	keep = 48 * time.Hour
	// startPause is the delay before another attempt to start.
	startPause = time.Second
)

// Queue is the queue of one dataset. It is safe for concurrent use.
type Queue struct {
	client *river.Client[pgx.Tx]
	pool   *pgxpool.Pool
	kinds  map[string]Kind
	log    zerolog.Logger
	away   func(error) bool
}

// New returns the queue in a database, whose tables [Migrate] must have created. It does
// no work until [Queue.Run].
func New(pool *pgxpool.Pool, cfg Config) (*Queue, error) {
	q := &Queue{pool: pool, kinds: map[string]Kind{}, log: cfg.Logger, away: cfg.Away}
	rc := &river.Config{
		Schema: cfg.Schema, MaxAttempts: defaultAttempts, JobTimeout: defaultTimeout, RescueStuckJobsAfter: defaultRescue,
		Logger:                      logger(cfg.Logger),
		CompletedJobRetentionPeriod: keep, CancelledJobRetentionPeriod: keep, DiscardedJobRetentionPeriod: keep,
		FetchCooldown: 20 * time.Millisecond, SoftStopTimeout: softStop,
	}
	if cfg.RescueAfter > 0 {
		rc.RescueStuckJobsAfter = cfg.RescueAfter
		rc.JobTimeout = min(rc.JobTimeout, cfg.RescueAfter/2)
	}
	if cfg.Backoff != nil {
		rc.RetryPolicy = backoff(cfg.Backoff)
	}
	if len(cfg.Kinds) > 0 {
		q.employ(rc, cfg)
	}
	var err error
	if q.client, err = river.NewClient(riverpgxv5.New(pool), rc); err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return q, nil
}

// employ configures the client to work on tasks.
func (q *Queue) employ(rc *river.Config, cfg Config) {
	workers := cfg.Workers
	if workers <= 0 {
		workers = 8
	}
	rc.Queues = map[string]river.QueueConfig{}
	rc.Workers = river.NewWorkers()
	for _, k := range cfg.Kinds {
		q.kinds[k.Name] = k
		switch {
		case k.Elsewhere:
		case k.Workers > 0:
			rc.Queues[k.Name] = river.QueueConfig{MaxWorkers: k.Workers}
		case k.Every > 0:
			rc.Queues[k.Name] = river.QueueConfig{MaxWorkers: 1}
		default:
			rc.Queues[river.QueueDefault] = river.QueueConfig{MaxWorkers: workers}
		}
		river.AddWorkerArgs(rc.Workers, args{kind: k.Name}, &worker{kind: k})
		if k.Every > 0 {
			rc.PeriodicJobs = append(rc.PeriodicJobs, periodic(k))
		}
	}
}

func periodic(k Kind) *river.PeriodicJob {
	queue := func() (river.JobArgs, *river.InsertOpts) {
		n := Job{Kind: k.Name, Key: k.Name, Priority: Scheduled}
		return args{kind: k.Name, Key: k.Name}, n.options(k)
	}
	return river.NewPeriodicJob(river.PeriodicInterval(k.Every), queue, &river.PeriodicJobOpts{RunOnStart: true})
}

type backoff func(attempt int) time.Duration

// Run works on tasks until ctx ends. It then gives running tasks a few seconds, and aborts
// the rest, which are retried later.
func (q *Queue) Run(ctx context.Context) error {
	if len(q.kinds) == 0 {
		return fmt.Errorf("queue: there are no kinds of job to work on")
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
	for told := false; ; told = true {
		err := q.client.Start(ctx)
		if err == nil {
			return nil
		}
		if !isSlow(err) && (q.away == nil || !q.away(err)) {
			return fmt.Errorf("queue: %w", err)
		}
		if !told {
			q.log.Warn().Err(err).Msg("jobs cannot be worked on at the moment; they wait in the queue")
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
