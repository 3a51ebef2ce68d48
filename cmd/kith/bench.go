package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/rs/zerolog"

	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/demo"
	"kith/internal/operation/devtools/bench"
)

type benchCmd struct {
	People int      `default:"200000" env:"KITH_PEOPLE"`
	Rounds int      `default:"400" env:"KITH_ROUNDS"`
	Shape  []string `env:"KITH_SHAPE"`
	CPU    string   `name:"cpu-profile" placeholder:"FILE" env:"KITH_CPU_PROFILE"`
	JSON   bool     `name:"json" env:"KITH_JSON"`
	Check  bool     `env:"KITH_CHECK"`
}

// Help is shown below the flags.
func (benchCmd) Help() string {
	return `Runs each search over HTTP and in process, in turn. With --elasticsearch-url it measures both engines.

Example:
  kith bench --people 200000 --elasticsearch-url http://127.0.0.1:9200`
}

// limits are the limits for --check.
func limits() bench.Limits {
	return bench.Limits{Median: 50 * time.Millisecond, Closest: 3, Matching: 1.1}
}

// Run measures and prints the report.
func (c *benchCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	all, err := c.shapes()
	if err != nil {
		return err
	}
	file, err := createProfile(c.CPU)
	if err != nil {
		return err
	}
	s, err := openSystem(ctx, g, log)
	if err != nil {
		return err
	}
	defer s.close()
	on := &benching{system: s, people: c.People}
	defer on.close()
	if err := on.prepare(ctx); err != nil {
		return err
	}
	stop, err := profile(file)
	if err != nil {
		return err
	}
	report, err := bench.Run(ctx, bench.Options{
		Engines: on.engines, Shapes: all, Rounds: c.Rounds, People: c.People,
		Log: func(line string) { fmt.Fprintln(os.Stderr, line) },
	})
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	return c.print(g.results, report)
}

// shapes returns the searches to measure, after a check of the flags.
func (c *benchCmd) shapes() ([]bench.Shape, error) {
	var b flagBounds
	positive(&b, "--people", c.People)
	positive(&b, "--rounds", c.Rounds)
	if err := b.err(); err != nil {
		return nil, err
	}
	all, err := bench.Shapes()
	if err != nil || len(c.Shape) == 0 {
		return all, err
	}
	all, err = bench.Only(all, c.Shape)
	if err != nil {
		return nil, usageError(err)
	}
	return all, nil
}

// createProfile creates the file for a profile; nil without a name.
func createProfile(name string) (*os.File, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--cpu-profile: %w", err)
	}
	return file, nil
}

// profile writes a CPU profile to a file until stop is called; without a file it does nothing.
func profile(file *os.File) (stop func() error, err error) {
	if file == nil {
		return func() error { return nil }, nil
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(fmt.Errorf("--cpu-profile: %w", err), file.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}

func (c *benchCmd) print(out io.Writer, report bench.Report) error {
	write := report.WriteTable
	if c.JSON {
		write = report.WriteJSON
	}
	if err := write(out); err != nil {
		return err
	}
	if over := report.Over(limits()); c.Check && len(over) > 0 {
		return errors.New(strings.Join(over, "\n"))
	}
	return nil
}

// benching is a measured dataset with a server for each engine.
type benching struct {
	*system
	people  int
	engines []bench.Engine
	closers []func()
}

func (b *benching) close() {
	for _, f := range b.closers {
		f()
	}
}

// prepare creates the dataset if it is missing, and serves it.
func (b *benching) prepare(ctx context.Context) error {
	cfg := datasetConfig{
		name: "benchmark", small: true, schema: fmt.Sprintf("kith_bench_%d", b.people),
		prefix: fmt.Sprintf("%s-bench-%d", b.flags.ElasticsearchPrefix, b.people),
	}
	small, err := b.open(ctx, cfg)
	if err != nil {
		return err
	}
	if err := b.fill(ctx, small); err != nil {
		return err
	}
	if err := b.serve(ctx, small); err != nil || b.flags.ElasticsearchURL == "" {
		return err
	}
	cfg.small = false
	big, err := b.open(ctx, cfg)
	if err != nil {
		return err
	}
	if err := b.index(ctx, big); err != nil {
		return err
	}
	return b.serve(ctx, big)
}

// fill generates and loads the dataset, once.
func (b *benching) fill(ctx context.Context, d *dataset) error {
	ready, err := d.db.Marked(ctx, demoReady)
	if err != nil || ready {
		return err
	}
	cfg := demo.Default()
	cfg.People, cfg.Companies = b.people, 0
	if err := loadGenerated(ctx, d, cfg); err != nil {
		return err
	}
	return d.db.Mark(ctx, demoReady)
}

// index fills an engine that has no data of the dataset yet.
func (b *benching) index(ctx context.Context, d *dataset) error {
	filled, err := d.index.Filled(ctx)
	if err != nil || filled {
		return err
	}
	return d.reindex(ctx, "index")
}

// benchRate is a rate limit that no measurement reaches.
const benchRate = 1e6

// serve starts a server for the dataset on its own loopback port.
func (b *benching) serve(ctx context.Context, d *dataset) error {
	// A server does this after it has drained its queue.
	if err := d.drainer.NoteSeen(ctx); err != nil {
		return err
	}
	svc := d.auth(auth.Config{})
	user := auth.Identity{ExternalID: "bench", Email: "bench@example.com"}
	if err := svc.EnsureFixed(ctx, auth.Fixed{App: "bench", Key: "sk_bench", User: user, Token: "bench"}); err != nil {
		return err
	}
	actor, err := svc.Verify(ctx, "bench")
	if err != nil {
		return err
	}
	searcher, err := d.search(0)
	if err != nil {
		return err
	}
	server, err := kithhttp.New(kithhttp.Config{
		Datasets: []kithhttp.Dataset{{Name: d.name, Auth: svc, Search: searcher, Answers: d.answers()}},
		Logger:   b.log.Level(zerolog.WarnLevel), Rate: benchRate, Burst: benchRate, Grace: time.Second,
	})
	if err != nil {
		return err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(serving, ln); err != nil {
			b.log.Error().Err(err).Msg("the measured server failed")
		}
	}()
	b.closers = append(b.closers, func() { stop(); <-done })
	b.engines = append(b.engines, bench.Engine{
		Name: d.engine.Engine(), URL: "http://" + ln.Addr().String(), Token: "bench",
		Service: searcher, Actor: actor,
	})
	return nil
}
