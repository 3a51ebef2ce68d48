package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/access/auth"
	"kith/internal/demo"
	"kith/internal/imports/loader"
	"kith/internal/record/indexer"
)

// The published credentials of the demo. They give access only to generated data.
const (
	demoToken = "demo_token_global"
	demoKey   = "demo_sk_global"
)

// demoReady marks a complete demo dataset.
const demoReady = "demo_ready"

// prepareDemo fills the demo dataset, once, and creates its published credentials. It
// deletes the users of earlier runs.
func prepareDemo(ctx context.Context, d *dataset, svc *auth.Service, log zerolog.Logger) (demoUser, error) {
	if err := svc.DropUsers(ctx); err != nil {
		return demoUser{}, err
	}
	err := svc.EnsureFixed(ctx, auth.Fixed{
		App: "demo", Key: demoKey, Token: demoToken, User: auth.Identity{ExternalID: "demo", Email: "demo@example.com"},
	})
	if err != nil {
		return demoUser{}, err
	}
	if err := fillDemo(ctx, d, log); err != nil {
		return demoUser{}, err
	}
	return setDemoNetwork(ctx, d, svc)
}

// setDemoNetwork gives every demo user an initial network.
func setDemoNetwork(ctx context.Context, d *dataset, svc *auth.Service) (demoUser, error) {
	app, err := svc.AppByName(ctx, "demo")
	if err != nil {
		return demoUser{}, err
	}
	people, err := d.db.Network().DemoPeople(ctx, demo.NetworkPeople)
	if err != nil {
		return demoUser{}, err
	}
	data, err := demo.New(demo.Default())
	if err != nil {
		return demoUser{}, err
	}
	known := demo.NewNetwork(data, people)
	return demoUser{data: data, contacts: known.Contacts}, d.db.Network().SetDemoNetwork(ctx, app.ID, known)
}

// fillDemo generates and loads the dataset, once.
func fillDemo(ctx context.Context, d *dataset, log zerolog.Logger) error {
	ready, err := d.db.Marked(ctx, demoReady)
	if err != nil || ready {
		return err
	}
	began := time.Now()
	cfg := demo.Default()
	log.Info().Int("people", cfg.People).Int("companies", cfg.Companies).Msg("generating the demo dataset, once")
	if err := loadGenerated(ctx, d, cfg); err != nil {
		return err
	}
	log.Info().Dur("took", time.Since(began)).Msg("the demo dataset is ready")
	return d.db.Mark(ctx, demoReady)
}

// loadGenerated generates a dataset and loads it from load files, like any other. An interrupted run can be repeated.
func loadGenerated(ctx context.Context, d *dataset, cfg demo.Config) error {
	dir, err := os.MkdirTemp("", "kith-demo")
	if err != nil {
		return fmt.Errorf("temporary directory (TMPDIR chooses another): %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	files, err := demo.WriteFiles(ctx, dir, cfg, demo.Plain, nil)
	if err != nil {
		return fmt.Errorf("temporary directory (TMPDIR chooses another): %w", err)
	}
	return d.storing(ctx, false, func(ctx context.Context, into *indexer.Build) error {
		load := loader.New(d.db)
		for _, f := range files {
			stats, err := loadFile(ctx, load, f.Path, loader.Options{Into: into})
			if err != nil {
				return err
			}
			if stats.Rejected > 0 {
				return fmt.Errorf("%d generated lines were rejected", stats.Rejected)
			}
		}
		return nil
	})
}

type generateCmd struct {
	Dir       string `arg:""`
	People    int    `default:"75000" env:"KITH_PEOPLE"`
	Companies int    `env:"KITH_COMPANIES"`
	Seed      uint64 `default:"20260501" env:"KITH_SEED"`
	Compress  string `enum:"none,gz,zst" default:"none" env:"KITH_COMPRESS"`
}

// Run writes the files and names them on standard output.
func (c *generateCmd) Run(ctx context.Context, g *globals) error {
	var b flagBounds
	checkRange(&b, "--people", c.People, 0, demo.MaxPeople)
	checkRange(&b, "--companies", c.Companies, 0, demo.MaxCompanies)
	if err := b.err(); err != nil {
		return err
	}
	compress := map[string]string{"none": demo.Plain, "gz": demo.Gzip, "zst": demo.Zstd}[c.Compress]
	bars := map[string]*progress{}
	files, err := demo.WriteFiles(ctx, c.Dir, demo.Config{Seed: c.Seed, People: c.People, Companies: c.Companies},
		compress,
		func(kind string, done, total int) {
			if bars[kind] == nil {
				bars[kind] = newProgress("generate "+kind, int64(total))
			}
			bars[kind].set(int64(done), int64(total))
		})
	for _, bar := range bars {
		bar.finish()
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(g.results, "%s: %d records, %d bytes\n", f.Path, f.Records, f.Bytes)
	}
	return nil
}
