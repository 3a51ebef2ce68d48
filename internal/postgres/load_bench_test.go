package postgres_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

	"kith/index/pgindex"
	"kith/internal/demo"
	"kith/internal/expect"
	"kith/internal/indexer"
	"kith/internal/loader"
	"kith/internal/pgtest"
	"kith/internal/postgres"
	"kith/internal/record"
)

// wordless is a dataset without a vocabulary.
type wordless struct{ *postgres.DB }

func (wordless) BeginWords(context.Context) error                        { return nil }
func (wordless) CountWords(context.Context, []indexer.RecordTerms) error { return nil }
func (wordless) DropWords(context.Context) error                         { return nil }

func (w wordless) Done(ctx context.Context, entries []indexer.Entry, refused []indexer.Refusal,
	_ []indexer.RecordTerms,
) error {
	return w.DB.Done(ctx, entries, refused, nil)
}

// BenchmarkBulkLoad loads demo people from files into an empty directory until Postgres can search
// them, with and without the vocabulary.
func BenchmarkBulkLoad(b *testing.B) {
	const people = 5_000
	files, err := demo.WriteFiles(b.Context(), b.TempDir(), demo.Config{Seed: demo.Default().Seed, People: people},
		demo.Plain, nil)
	expect.NoError(b, err)
	for _, c := range []struct {
		name   string
		source func(*postgres.DB) indexer.Source
	}{
		{"with words", func(db *postgres.DB) indexer.Source { return db }},
		{"without", func(db *postgres.DB) indexer.Source { return wordless{db} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				db := pgtest.NewDataset(b)
				engine := pgindex.New(db.Pool())
				expect.NoError(b, engine.Setup(b.Context()))
				rejects := filepath.Join(b.TempDir(), "rejects")
				b.StartTimer()
				load := loader.New(db)
				for _, f := range files {
					_, err := load.File(b.Context(), record.ForEveryone(), f.Path, loader.Options{Rejects: rejects})
					expect.NoError(b, err)
				}
				expect.NoError(b, indexer.NewDrainer(c.source(db), engine, zerolog.Nop()).Drain(b.Context()))
			}
			b.ReportMetric(people*float64(b.N)/b.Elapsed().Seconds(), "people/s")
		})
	}
}
