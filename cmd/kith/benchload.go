package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"kith/index/elasticindex"
	"kith/internal/demo"
	"kith/internal/devtools/bench"
	"kith/internal/postgres"
)

// compareLoads compares loads of a generated dataset: with Kith, from files until it can be
// searched; and without, on each engine.
func (b *benching) compareLoads(ctx context.Context, people int) (out []bench.Load, err error) {
	cfg := demo.Default()
	cfg.People, cfg.Companies = people, 0
	dir, err := os.MkdirTemp("", "kith-bench")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	files, err := demo.WriteFiles(ctx, dir, cfg, demo.Plain, nil)
	if err != nil {
		return nil, err
	}
	small, err := b.compareWithCopy(ctx, dir, files)
	if err != nil || b.flags.ElasticsearchURL == "" {
		return []bench.Load{small}, err
	}
	big, err := b.compareWithBulkIndexer(ctx, cfg, files)
	return []bench.Load{small, big}, err
}

// compareWithCopy compares with COPY of the same rows, of records and index, into tables with the same indexes.
func (b *benching) compareWithCopy(ctx context.Context, dir string, files []demo.File) (out bench.Load, err error) {
	d, err := b.open(ctx, datasetConfig{name: "bulk load", small: true, schema: "kith_bench_copy"})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, d.remove(context.WithoutCancel(ctx))) }()
	var baseline *postgres.CopyBaseline
	defer func() {
		if baseline != nil {
			err = errors.Join(err, baseline.Remove(context.WithoutCancel(ctx)))
		}
	}()
	return bench.CompareLoads(ctx, d.engine.Engine(),
		func(ctx context.Context) (int, error) { return d.loadAll(ctx, files) },
		func(ctx context.Context) (load bench.Loader, err error) {
			if baseline, err = d.db.CopyBaseline(ctx, dir); err != nil {
				return nil, err
			}
			return baseline.Load, nil
		})
}

// compareWithBulkIndexer compares with the bulk indexer of Elasticsearch's own client, from ready-made documents.
func (b *benching) compareWithBulkIndexer(ctx context.Context, cfg demo.Config, files []demo.File) (
	out bench.Load, err error,
) {
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
	d, err := b.open(ctx, datasetConfig{name: "bulk load", schema: "kith_bench_load", prefix: name})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, d.remove(context.WithoutCancel(ctx))) }()
	return bench.CompareLoads(ctx, d.engine.Engine(),
		func(ctx context.Context) (int, error) { return d.loadAll(ctx, files) },
		func(context.Context) (bench.Loader, error) { return baseline.Load, nil })
}

// remove deletes the records and the index of a dataset that was created for a measurement.
func (d *dataset) remove(ctx context.Context) error {
	err := d.db.Remove(ctx)
	if big, ok := d.engine.(*elasticindex.Driver); ok {
		err = errors.Join(err, big.Remove(ctx))
	}
	return err
}
