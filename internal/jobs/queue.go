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

// Config configures a [Queue]; zero values take the defaults named.
type Config struct {
	// Schema holds the tables of the queue; it must be on the search path of the
	// pool.
	Schema string
	Logger zerolog.Logger
	// Kinds are what this process works on. Without any it can only queue.
	Kinds []Kind
	// Workers is how many jobs this process works on at a time: 8, and MaxWorkers at most.
	Workers int
	// RescueAfter is when a job whose process is gone is given to another, at the
	// next look of River's, each 30 s: 40 s after it began. It must be longer than the
	// timeout of every kind, by as long as work may take to heed it.
	RescueAfter time.Duration
	// Backoff is how long to wait after a failed attempt, counted from 1: it
	// grows from 1 s over 16 s and 81 s.
	Backoff func(attempt int) time.Duration
	// Away says of an error that Postgres is away and may come back, which
	// [Queue.Run] waits for; nil is that none says so.
	Away func(error) bool
}

// MaxWorkers is how many jobs a process can work on at a time.
const MaxWorkers = river.QueueNumWorkersMax

const (
	defaultTimeout  = 30 * time.Second
	defaultAttempts = 5
	// defaultRescue leaves work that is timed out 10 s to end.
	defaultRescue = 40 * time.Second
	// softStop is how long jobs under way may go on when the process stops.
	softStop = 5 * time.Second
	// keep is how long River keeps ended jobs; whoever wants to know of them for
	// longer copies what they need.
	keep = 48 * time.Hour
	// startPause is how long to wait before it is tried again to begin.
	startPause = time.Second
)

// Queue is the queue of one directory. It is safe for concurrent use.
type Queue struct {
	client *river.Client[pgx.Tx]
	pool   *pgxpool.Pool
	kinds  map[string]Kind
	log    zerolog.Logger
	away   func(error) bool
}

// New returns the queue in the database of a pool, whose tables [Migrate] has
// made. It works on nothing until [Queue.Run].
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

// employ makes the client one that works.
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

// Run works on jobs until ctx ends, then lets those under way end for a few
// seconds, and breaks off the rest, which are tried again.
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

// start begins to work. River gives up where Postgres is away just then, though
// it bears that at any time after.
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

// isSlow reports whether Postgres took longer to listen than River waits for it, as
// under load. River has no name for that error.
func isSlow(err error) bool {
	return strings.Contains(err.Error(), "timed out waiting for interrupt operation")
}
