// Package crash interrupts a load, an import, a reindex, a sending, an erasure and a restore at each of their
// statements. Afterwards nothing acknowledged is lost, and nothing is done twice.
package crash_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"kith/index"
	"kith/index/pgindex"
	"kith/internal/expect"
	"kith/internal/indexer"
	"kith/internal/keys"
	"kith/internal/loader"
	"kith/internal/pgtest"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/query"
)

// dataset is what a process opens.
type dataset struct {
	*postgres.DB

	keeper *keys.Keeper
	ix     *pgindex.Index
}

// open opens the dataset of a database as a process does.
func open(ctx context.Context, url string) (*dataset, error) {
	db, err := postgres.Open(ctx, url, postgres.Options{})
	if err != nil {
		return nil, err
	}
	d := &dataset{DB: db, ix: pgindex.New(db.Pool())}
	if d.keeper, err = keys.Open(ctx, db.Keys(), nil); err != nil {
		db.Close()
		return nil, err
	}
	db.UseSuppressionKey(d.keeper.Ring().Suppression)
	return d, nil
}

// doing returns an operation on an opened dataset.
func doing(do func(ctx context.Context, d *dataset) error) func(ctx context.Context, url string) error {
	return func(ctx context.Context, url string) error {
		d, err := open(ctx, url)
		if err != nil {
			return err
		}
		defer d.Close()
		return do(ctx, d)
	}
}

// filling returns the filling of a template: the tables, some people in them and in the index, and what follows.
func filling(people int, then func(ctx context.Context, d *dataset) error) func(url string) error {
	return func(url string) error {
		ctx := context.Background()
		db, err := postgres.Open(ctx, url, postgres.Options{})
		if err != nil {
			return err
		}
		err = db.Migrate(ctx)
		db.Close()
		if err != nil {
			return err
		}
		return doing(func(ctx context.Context, d *dataset) error {
			if err := d.ix.Setup(ctx); err != nil {
				return err
			}
			if _, err := d.load(ctx, persons(0, people)); err != nil {
				return err
			}
			return errors.Join(d.drain(ctx), then(ctx, d))
		})(ctx, url)
	}
}

func nothing(context.Context, *dataset) error { return nil }

// again is the dataset in a process after the crash.
func again(t *testing.T, url string) *dataset {
	t.Helper()
	d, err := open(t.Context(), url)
	expect.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

// persons are the lines of people with numbers from some on; ten each work at a company.
func persons(from, to int) []string {
	var lines []string
	for i := from; i < to; i++ {
		lines = append(lines, fmt.Sprintf(`{"full_name":"Person %d","social_url":%q,"email":"p%d@example.com",`+
			`"work_relevant":{"title":"Engineer","company":{"name":"Company %d"},"start_date":"2020-01"}}`,
			i, profile(i), i, i/10))
	}
	return lines
}

func profile(i int) string { return fmt.Sprintf("https://social.example/in/p%d", i) }

// load loads people in transactions of twenty.
func (d *dataset) load(ctx context.Context, lines []string) (loader.Stats, error) {
	return loader.New(d).File(ctx, record.ForEveryone(), "-", loader.Options{
		Kind: record.People, Stdin: strings.NewReader(strings.Join(lines, "\n")), BatchLines: 20,
		Rejects: filepath.Join("", "never-written"),
	})
}

func (d *dataset) drain(ctx context.Context) error {
	return indexer.NewDrainer(d, d.ix, zerolog.Nop()).Drain(ctx)
}

// reindex rebuilds the index.
func (d *dataset) reindex(ctx context.Context) error {
	r := indexer.NewReindexer(indexer.NewDrainer(d, d.ix, zerolog.Nop()))
	r.Grace = 0
	return r.Reindex(ctx, nil)
}

// holds checks how many people are stored, and that the index has as many.
func (d *dataset) holds(t *testing.T, when string, people int) {
	t.Helper()
	stored, err := d.Count(t.Context(), record.People)
	expect.NoError(t, err)
	expect.Values(t, "people stored and found "+when, []any{int(stored), d.found(t)}, people, people)
}

// found is how many people searches find.
func (d *dataset) found(t *testing.T) int {
	t.Helper()
	n, _, err := index.New(d.ix).Count(t.Context(), index.Prepare(query.All{}), 0)
	expect.NoError(t, err)
	return n
}

// count is the result of a query for one number.
func (d *dataset) count(t *testing.T, sql string) (n int) {
	t.Helper()
	expect.NoError(t, d.Pool().QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// Some of the people of a load are new; others are stored already.
func TestCrashedLoadsCanBeRepeated(t *testing.T) {
	const before, all = 20, 60
	lines := persons(0, all)
	pgtest.Crash{Template: "crash_load", Fill: filling(before, nothing), Try: func(t *testing.T) (
		func(context.Context, string) error, func(string, bool),
	) {
		do := func(ctx context.Context, d *dataset) error {
			_, err := d.load(ctx, lines)
			return errors.Join(err, d.drain(ctx))
		}
		return doing(do), func(url string, acknowledged bool) {
			d := again(t, url)
			if acknowledged {
				d.holds(t, "after an acknowledged load", all)
			}
			expect.NoError(t, do(t.Context(), d))
			d.holds(t, "after the second load", all)
			expect.Values(t, "companies", []any{d.count(t, "select count(*) from companies")}, all/10)
			stats, err := d.load(t.Context(), lines)
			expect.NoError(t, err)
			expect.Values(t, "people that a third load leaves unchanged", []any{stats.Unchanged}, int64(all))
		}
	}}.Run(t)
}

// Searches and writes keep using the old version, and the next reindex cleans up.
func TestCrashedReindexLeavesTheOldIndex(t *testing.T) {
	const people = 30
	pgtest.Crash{Template: "crash_reindex", Fill: filling(people, nothing), Try: func(t *testing.T) (
		func(context.Context, string) error, func(string, bool),
	) {
		do := func(ctx context.Context, d *dataset) error { return d.reindex(ctx) }
		return doing(do), func(url string, _ bool) {
			d := again(t, url)
			d.holds(t, "after the crash", people)
			_, err := d.load(t.Context(), persons(people, people+5))
			expect.NoError(t, errors.Join(err, d.drain(t.Context())))
			d.holds(t, "after the crash and a load", people+5)
			expect.NoError(t, do(t.Context(), d))
			d.holds(t, "after the next reindex", people+5)
			versions, err := d.ix.Versions(t.Context())
			expect.NoError(t, err)
			expect.Len(t, "versions of the index", versions, 1)
		}
	}}.Run(t)
}
