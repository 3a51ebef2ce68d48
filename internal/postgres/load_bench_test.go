package postgres_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

	"kith/index/load"
	"kith/index/pgindex"
	"kith/internal/demo"
	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// wordless is a dataset without a vocabulary.
type wordless struct{ *postgres.DB }

func (wordless) BeginWords(context.Context) error                     { return nil }
func (wordless) CountWords(context.Context, []load.RecordTerms) error { return nil }
func (wordless) DropWords(context.Context) error                      { return nil }

func (w wordless) Done(ctx context.Context, entries []load.Entry, refused []load.Refusal, _ []load.RecordTerms) error {
	return w.DB.Done(ctx, entries, refused, nil)
}

// BenchmarkBulkLoad loads demo people from files into an empty directory until Postgres can search
// them, with and without the vocabulary.
func BenchmarkBulkLoad(b *testing.B) {
	const people = 5_000
	files, err := demo.WriteFiles(b.Context(), b.TempDir(), demo.Config{Seed: demo.Default().Seed, People: people},
		demo.Plain, nil)
	check(b, err)
	for _, c := range []struct {
		name   string
		source func(*postgres.DB) load.Source
	}{
		{"with words", func(db *postgres.DB) load.Source { return db }},
		{"without", func(db *postgres.DB) load.Source { return wordless{db} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				db := pgtest.Dataset(b, pgtest.MigratedURL(b), postgres.Options{})
				engine := pgindex.New(db.Pool())
				check(b, engine.Setup(b.Context()))
				rejects := filepath.Join(b.TempDir(), "rejects")
				b.StartTimer()
				loader := load.NewLoader(db)
				for _, f := range files {
					_, err := loader.File(b.Context(), f.Path, load.Options{Rejects: rejects})
					check(b, err)
				}
				check(b, load.NewDrainer(c.source(db), engine, zerolog.Nop()).Drain(b.Context()))
			}
			b.ReportMetric(people*float64(b.N)/b.Elapsed().Seconds(), "people/s")
		})
	}
}
