package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"kith/index/elasticindex"
	"kith/internal/bench"
	"kith/internal/demo"
)

// compareLoads compares two loads of a generated dataset: with Kith, from files until it
// can be searched; and with the bulk indexer of Elasticsearch's own client, from
// ready-made documents.
func (b *benching) compareLoads(ctx context.Context, people int) (out bench.Load, err error) {
	cfg := demo.Default()
	cfg.People, cfg.Companies = people, 0
	generated, err := demo.New(cfg)
	if err != nil {
		return out, err
	}
	name := fmt.Sprintf("%s-bench-load-%d", b.flags.ElasticsearchPrefix, time.Now().UnixNano())
	engine, err := b.elasticsearchConfig(name + "-straight")
	if err != nil {
		return out, err
	}
	baseline, err := elasticindex.NewBaseline(ctx, engine, bench.Documents(generated))
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, baseline.Close(context.WithoutCancel(ctx))) }()
	d, err := b.open(ctx, place{name: "bulk load", schema: "kith_bench_load", prefix: name})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, d.remove(context.WithoutCancel(ctx))) }()
	dir, err := os.MkdirTemp("", "kith-bench")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left behind in the temporary directory is harmless
	files, err := demo.WriteFiles(ctx, dir, cfg, demo.Plain, nil)
	if err != nil {
		return out, err
	}
	return bench.CompareLoads(ctx, d.engine.Engine(),
		func(ctx context.Context) (int, error) { return d.loadAll(ctx, files) }, baseline.Load)
}

// remove deletes the records and the index of a dataset that was created for a
// measurement.
func (d *directory) remove(ctx context.Context) error {
	err := d.db.Remove(ctx)
	if big, ok := d.engine.(*elasticindex.Driver); ok {
		err = errors.Join(err, big.Remove(ctx))
	}
	return err
}
