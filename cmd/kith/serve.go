package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/record/identity"
	"kith/internal/record/source"
	"kith/internal/search/saved"
	"kith/internal/search/suggest"
)

type serveCmd struct {
	sourceFlags

	// DemoToo is --demo from the environment. It has its own variable because commands that run next to the server see
	// the environment too: they must not use the demo only because it is served.
	DemoToo bool `name:"demo-too" hidden:"" env:"KITH_DEMO"`

	Listen             string        `default:"127.0.0.1:8080" env:"KITH_LISTEN"`
	MetricsListen      string        `env:"KITH_METRICS_LISTEN"`
	TokenTTL           time.Duration `name:"token-ttl" default:"24h" env:"KITH_TOKEN_TTL"`
	Rate               float64       `default:"100" env:"KITH_RATE"`
	Burst              int           `default:"200" env:"KITH_BURST"`
	ImportQuota        int           `default:"100000" env:"KITH_IMPORT_QUOTA"`
	ListQuota          int           `default:"100" env:"KITH_LIST_QUOTA"`
	SearchQuota        int           `default:"50" env:"KITH_SEARCH_QUOTA"`
	ImportDir          string        `env:"KITH_IMPORT_DIR" placeholder:"DIR"`
	CountCap           int           `default:"10000" env:"KITH_COUNT_CAP"`
	AllowOrigin        []origin      `env:"KITH_ALLOW_ORIGIN" placeholder:"ORIGIN"`
	StreamWriteTimeout time.Duration `default:"10s" env:"KITH_STREAM_WRITE_TIMEOUT"`
	RefreshTimeout     time.Duration `default:"25s" env:"KITH_REFRESH_TIMEOUT"`
	RefreshAfter       age           `default:"0s" env:"KITH_REFRESH_AFTER" placeholder:"AGE"`
	JobWorkers         int           `default:"8" env:"KITH_JOB_WORKERS"`
	MCPWrite           bool          `name:"mcp-write" env:"KITH_MCP_WRITE"`
	Grace              time.Duration `default:"15s" env:"KITH_GRACE"`
	deliveryFlags
	tlsFlags
}

// Run serves until it is interrupted.
func (c *serveCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	s, src, err := c.prepare(ctx, g, log)
	if err != nil {
		return err
	}
	ln, err := listen(ctx, "--listen", c.Listen)
	if err != nil {
		return err
	}
	defer ln.Close()
	url := "http://" + ln.Addr().String()
	cert, err := c.certificate()
	if err != nil {
		return usageError(err)
	}
	if cert != nil {
		ln, url = cert.listen(ln), "https://"+ln.Addr().String()
	}
	metrics, err := c.listenForMetrics(ctx)
	if err != nil {
		return err
	}
	unlock, err := g.lockServer(url)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.start(ctx); err != nil {
		return err
	}
	defer s.close()
	datasets, sending, err := c.datasets(ctx, s, src)
	if err != nil {
		return err
	}
	return c.serve(ctx, serving{ln, cert, metrics, url, s, datasets, sending})
}

// prepare rejects invalid flags before anything starts.
func (c *serveCmd) prepare(ctx context.Context, g *globals, log zerolog.Logger) (*system, source.Source, error) {
	err := cmp.Or(c.check(), c.checkBounds(), checkListen(ctx, "--listen", c.Listen))
	if err == nil && c.MetricsListen != "" {
		err = checkListen(ctx, "--metrics-listen", c.MetricsListen)
	}
	if err != nil {
		return nil, nil, usageError(err)
	}
	g.Demo = g.Demo || c.DemoToo
	s, err := newSystem(g, log)
	if err != nil {
		return nil, nil, err
	}
	src, err := c.open()
	if src == nil && c.RefreshAfter > 0 && err == nil {
		log.Warn().Msg("--refresh-after does nothing for the live dataset: there is no source of fresh data, which " +
			"--source-url or --source-dir names")
	}
	return s, src, err
}

// serving is what a server serves, and where.
type serving struct {
	ln       net.Listener
	cert     *certificate // nil for plain HTTP
	metrics  net.Listener // nil if disabled
	url      string
	system   *system
	datasets []kithhttp.Dataset
	delivery delivery
}

// datasets opens the live dataset and, if requested, fills and opens the demo. Only the live dataset sends e-mails.
func (c *serveCmd) datasets(ctx context.Context, s *system,
	src source.Source,
) ([]kithhttp.Dataset, delivery, error) {
	live, err := s.dataset(ctx, false)
	if err != nil {
		return nil, delivery{}, err
	}
	sending, err := c.newDelivery(live, s.log)
	if err != nil {
		return nil, delivery{}, err
	}
	first, err := c.httpDataset(s, live, src, &sending)
	if err != nil {
		return nil, delivery{}, err
	}
	first.Unsubscribe, first.Feedback = sending.store, outreach.NewListener(sending.store, nil)
	all := []kithhttp.Dataset{first}
	if !s.flags.Demo {
		return all, sending, nil
	}
	demo, err := s.dataset(ctx, true)
	if err != nil {
		return nil, delivery{}, err
	}
	svc := demo.auth(auth.Config{TTL: c.TokenTTL})
	user, err := prepareDemo(ctx, demo, svc, s.log)
	if err != nil {
		return nil, delivery{}, fmt.Errorf("prepare the demo: %w", err)
	}
	second, err := c.httpDataset(s, demo, mirror{demo.db}, nil)
	if err != nil {
		return nil, delivery{}, err
	}
	second.PublishedToken, user.served = demoToken, second
	if err := user.furnish(ctx, svc); err != nil {
		return nil, delivery{}, fmt.Errorf("furnish the demo: %w", err)
	}
	return append(all, second), sending, nil
}

// httpDataset returns the part of a dataset that HTTP uses, and sets up its background work. sending is nil if the
// dataset sends nothing.
func (c *serveCmd) httpDataset(s *system, d *dataset, src source.Source, sending *delivery) (kithhttp.Dataset, error) {
	files := c.importing(s, d)
	searcher, err := d.search(c.CountCap)
	if err != nil {
		return kithhttp.Dataset{}, err
	}
	quotas := saved.Quotas{Lists: c.ListQuota, Searches: c.SearchQuota}
	searches := func(db *postgres.DB) *saved.Searches {
		return saved.NewSearches(saved.Config{
			Store: db.Saved(), Searcher: searcher, Read: kithhttp.SavedRequest, Quotas: quotas,
		})
	}
	work := []func(*river.Config){watchSearches(searches(d.db), s.log)}
	if sending != nil {
		work = append(work, sending.announcer.AddWork)
	}
	r, err := d.refreshing(s.log, refreshConfig{
		source: src, wait: c.RefreshTimeout, stale: time.Duration(c.RefreshAfter), workers: c.JobWorkers, work: work,
	})
	if err != nil {
		return kithhttp.Dataset{}, err
	}
	d.work = r.queue
	closeDataset := d.close
	d.close = func() { r.close(); closeDataset() }
	known, given := d.auth(auth.Config{TTL: c.TokenTTL}), d.givenSequences()
	services := func(db *postgres.DB) *kithhttp.Services {
		svc := known.On(db.Auth())
		all := &kithhttp.Services{
			Auth: svc, Administration: svc, Network: r.network(db), Lists: saved.NewLists(db.Saved(), quotas),
			Searches: searches(db), Duplicates: identity.NewService(db), Imports: files(db),
			Outreach: newOutreach(db, given), Audit: db.Audit(),
		}
		if sending != nil {
			sending.offer(all, db)
		}
		return all
	}
	out := kithhttp.Dataset{
		Services: *services(d.db), Answers: d.answers(services),
		Name: d.name, Demo: d.demo, Search: searcher, Suggest: suggest.New(d.db, searcher), Reach: d.reach(),
		Export: d.db, Seal: d.sealer, Enrich: d.enrich(r), Refresh: r.Service,
		IDs: d.ids, Tasks: r.queue, Maintenance: d.maintenance,
		WaitsForModel: d.model != nil,
	}
	if !d.demo {
		out.Privacy = d.privacy()
	}
	return out, nil
}

// serve answers requests, updates the index and sends what is due. If one of these tasks ends by itself, all end: a
// server must not appear healthy while part of its work has stopped.
func (c *serveCmd) serve(ctx context.Context, what serving) error {
	s := what.system
	server, err := kithhttp.New(kithhttp.Config{
		Datasets: what.datasets, Dependencies: s.dependencies(), Queues: s.queues(), Logger: s.log,
		Rate: c.Rate, Burst: c.Burst, Capacity: s.capacity(), AllowedOrigins: originsOf(c.AllowOrigin), Grace: c.Grace,
		StreamWriteTimeout: c.StreamWriteTimeout, Shared: s.sharedLimits(), Quotas: s.opened[0].db.Limits(),
		ImportQuota: c.ImportQuota, Gauges: what.cert.gauges(), AgentsWrite: c.MCPWrite, Version: release,
	})
	if err != nil {
		return err
	}
	// The background tasks outlive the last requests, which may still write.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	group, running := errgroup.WithContext(work)
	c.background(what, server.Metrics(), func(name string, run func(context.Context) error) {
		group.Go(func() error { return mustRun(work, name, run) })
	})
	serving, end := context.WithCancel(ctx)
	defer end()
	context.AfterFunc(running, end)
	s.log.Info().Str("url", what.url).Str("search_engine", s.opened[0].engine.Engine()).Bool("demo",
		s.flags.Demo).Msg("listening")
	for _, d := range s.opened {
		go d.reader() // before the first prompt needs it
	}
	if err := what.printWayIn(ctx); err != nil {
		s.log.Warn().Err(err).Msg("no link to sign in can be made; kith login-link makes one")
	}
	err = server.Serve(serving, what.ln)
	stop()
	return errors.Join(err, group.Wait())
}

// capacity is how much work users can give to the server at once: 0 for the default. The embedded Postgres shares
// the processors with Kith.
func (s *system) capacity() int {
	if s.embedded != nil && s.flags.ElasticsearchURL == "" {
		return 4 * runtime.GOMAXPROCS(0)
	}
	return 0
}

// sharedLimits returns the limits that all servers on the database share; nil with the
// embedded Postgres, which allows only one server.
func (s *system) sharedLimits() kithhttp.SharedLimits {
	if s.embedded != nil {
		return nil
	}
	return s.opened[0].db.Limits()
}

// background starts everything that runs besides answering requests.
func (c *serveCmd) background(what serving, metrics http.Handler,
	start func(name string, run func(context.Context) error),
) {
	s := what.system
	for _, d := range s.opened {
		start("the indexing of the "+d.name+" dataset", d.drainer.Run)
		start("the rebuilding of the index of the "+d.name+" dataset", d.maintenance.Run)
		start("the tasks of the "+d.name+" dataset", d.work.Run)
		start("the imports of the "+d.name+" dataset", d.imports.Run)
		start("the cleanup of uploaded files",
			func(ctx context.Context) error { return every(ctx, 10*time.Minute, d.imports.Tidy, s.log) })
		start("the sealing keys of the "+d.name+" dataset",
			func(ctx context.Context) error { return d.keys.Follow(ctx, s.log) })
	}
	start("the sending of e-mails", what.delivery.worker.Run)
	live := s.opened[0]
	start("the queueing of webhooks", func(ctx context.Context) error {
		queue := func(ctx context.Context) error { return what.delivery.store.QueueWebhooks(ctx, live.work) }
		return every(ctx, outreach.QueueEvery, queue, s.log)
	})
	start("the list of servers", func(ctx context.Context) error { return c.announce(ctx, s.flags, live, s.log) })
	start("the cleanup of rate limits", func(ctx context.Context) error {
		return every(ctx, 10*time.Minute, live.db.Limits().Tidy, s.log)
	})
	if what.cert != nil {
		start("the certificate", func(ctx context.Context) error { return what.cert.follow(ctx, s.log) })
	}
	if s.embedded != nil {
		start("the monitor of the embedded Postgres", s.embedded.Keep)
	}
	if what.metrics != nil {
		start("metrics", func(ctx context.Context) error { return serveMetrics(ctx, what.metrics, metrics, s.log) })
	}
}

// every calls do at an interval until ctx ends, and logs failures.
func every(ctx context.Context, d time.Duration, do func(context.Context) error, log zerolog.Logger) error {
	for range ticks(ctx, d) {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			log.Warn().Err(err).Msg("a periodic task failed; it will be retried")
		}
	}
	return ctx.Err()
}

// ticks yields at an interval until ctx ends.
func ticks(ctx context.Context, d time.Duration) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		tick := time.NewTicker(d)
		defer tick.Stop()
		for {
			select {
			case at := <-tick.C:
				if !yield(at) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// mustRun runs a task that must not end before ctx. An earlier end is an error, regardless of its result.
func mustRun(ctx context.Context, name string, run func(context.Context) error) error {
	err := run(ctx)
	if ctx.Err() != nil {
		return ignoreCancel(err)
	}
	if err == nil {
		err = errors.New("stopped unexpectedly")
	}
	return fmt.Errorf("%s: %w", name, err)
}

func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
