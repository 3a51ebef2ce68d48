package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith"
	"kith/index/pgfault"
	"kith/internal/imports/loader"
	"kith/internal/operation/tasks"
	"kith/internal/outreach"
	"kith/internal/postgres"
	recordsql "kith/internal/postgres/record"
	"kith/internal/record/refresh"
	"kith/internal/record/source"
	"kith/internal/search/saved"
)

// refreshing refreshes the people of a dataset.
type refreshing struct {
	*refresh.Service
	tickets *recordsql.Tickets
	queue   *tasks.Queue // works on tasks
	source  source.Source
}

// refreshConfig configures the refreshing of a dataset.
type refreshConfig struct {
	source  source.Source
	wait    time.Duration
	stale   time.Duration
	workers int
	// work adds further tasks to work on.
	work []func(*river.Config)
}

// freshRecords are the records of a dataset, with merging.
type freshRecords struct {
	*postgres.DB
	*loader.Merger
}

// refreshing sets up refreshes. Requesting and working have separate queues, because the
// working queue is built from the service, which needs the requesting one.
func (d *dataset) refreshing(log zerolog.Logger, cfg refreshConfig) (*refreshing, error) {
	log = log.With().Str("directory", d.name).Logger()
	asks, err := d.asks(log)
	if err != nil {
		return nil, err
	}
	r := &refreshing{tickets: d.db.Tickets(asks), source: cfg.source}
	r.Service = refresh.New(refresh.Config{
		Source: cfg.source, Records: freshRecords{d.db, loader.NewMerger(d.db)}, Tickets: r.tickets, Logger: log,
		Wait: cfg.wait, Stale: cfg.stale, Workers: cfg.workers,
	})
	r.queue, err = tasks.New(d.db.Pool(), tasks.Config{
		Schema: d.db.Schema(), Logger: log, Away: isTransient,
		Work: append(cfg.work, r.AddWork, d.finishErasures(log)),
	})
	return r, err
}

// finishErasures makes due erasures final.
func (d *dataset) finishErasures(log zerolog.Logger) func(*river.Config) {
	return func(c *river.Config) {
		tasks.Every(c, time.Hour, erasureArgs{}, func(ctx context.Context) error {
			n, err := d.privacy().Finish(ctx)
			if n > 0 {
				log.Info().Int("erasures", n).Msg("erasures are final")
			}
			return err
		})
	}
}

type erasureArgs struct{}

func (erasureArgs) Kind() string { return "finish_erasures" }

// watchSearches notifies webhooks about new matches of saved searches.
func watchSearches(searches *saved.Searches, log zerolog.Logger) func(*river.Config) {
	return func(c *river.Config) {
		tasks.Every(c, time.Minute, watchArgs{}, func(ctx context.Context) error { return searches.Watch(ctx, log) })
	}
}

type watchArgs struct{}

func (watchArgs) Kind() string { return "watch_searches" }

// isTransient reports whether Postgres is temporarily unavailable, or too busy to answer in time.
func isTransient(err error) bool {
	err = pgfault.Classify(err)
	return kith.KindOf(err) == kith.Unavailable || errors.Is(err, context.DeadlineExceeded)
}

func (r *refreshing) close() {
	if r.source != nil {
		r.source.Close()
	}
}

type refreshCmd struct {
	sourceFlags

	OlderThan age  `required:"" env:"KITH_OLDER_THAN" placeholder:"AGE"`
	NoWait    bool `env:"KITH_NO_WAIT"`
}

// Run queues the refreshes and performs them.
func (c *refreshCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	src, err := c.open()
	if err != nil {
		return err
	}
	if src == nil && !c.NoWait { // with --no-wait, the server's source is used
		return usageError(errors.New("there is no source of fresh data: name one with --source-url or --source-dir, " +
			"or leave the work to a server with one (--no-wait)"))
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		r, err := d.refreshing(log, refreshConfig{source: src, work: []func(*river.Config){
			tasks.Elsewhere[watchArgs], tasks.Elsewhere[outreach.AnnounceArgs],
		}})
		if err != nil {
			return err
		}
		defer r.close()
		n, err := c.queue(ctx, r)
		if err != nil {
			return err
		}
		fmt.Fprintf(g.results, "people to refresh: %d\n", n)
		if c.NoWait {
			return d.warnUnserved(ctx, r.queue)
		}
		began, err := r.tickets.Now(ctx)
		if err != nil {
			return err
		}
		if err := r.workOff(ctx); err != nil {
			return err
		}
		return errors.Join(d.drain(ctx), r.conclude(ctx, g.results, began))
	})
}

// conclude prints the outcome. It is normal that the source does not know some people; it
// is an error if none could be refreshed.
func (r *refreshing) conclude(ctx context.Context, out io.Writer, began time.Time) error {
	done, failed, err := r.tickets.EndedWork(ctx, began)
	if err != nil || failed == 0 {
		return err
	}
	if done == 0 {
		return fmt.Errorf("nobody was refreshed: kith jobs --state failed says why for each of %d", failed)
	}
	fmt.Fprintf(out, "%s refreshed, %d failed: kith jobs --state failed says why\n",
		kith.Counted(int64(done), "person", "people"), failed)
	return nil
}

// staleBatch is how many people are queued in one transaction.
const staleBatch = 500

func (c *refreshCmd) queue(ctx context.Context, r *refreshing) (total int, err error) {
	before := time.Now().Add(-time.Duration(c.OlderThan))
	for {
		n, err := r.tickets.QueueStale(ctx, before, staleBatch)
		total += n
		if err != nil || n < staleBatch {
			return total, err
		}
	}
}

// workOff works until no refresh is waiting.
func (r *refreshing) workOff(ctx context.Context) error {
	total, err := r.tickets.OpenWork(ctx)
	if err != nil || total == 0 {
		return err
	}
	working, stop := context.WithCancel(ctx)
	// If the queue fails, awaitNone must not wait for it.
	group, working := errgroup.WithContext(working)
	group.Go(func() error { return ignoreCancel(r.queue.Run(working)) })
	bar := newProgress("refresh", int64(total))
	err = r.awaitNone(working, func(left int) { bar.set(int64(total-left), int64(total)) })
	bar.finish()
	stop()
	if failed := group.Wait(); failed != nil {
		return failed
	}
	return err
}

func (r *refreshing) awaitNone(ctx context.Context, progress func(left int)) error {
	for range ticks(ctx, 200*time.Millisecond) {
		left, err := r.tickets.OpenWork(ctx)
		if err != nil || left == 0 {
			return err
		}
		progress(left)
	}
	return ctx.Err()
}
