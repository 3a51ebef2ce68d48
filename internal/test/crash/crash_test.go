// Package crash interrupts a load, an import, a reindex, a sending, an erasure and a restore at their statements and
// their requests to Elasticsearch. Afterwards nothing acknowledged is lost, and nothing is done twice.
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
	"kith/index/elasticindex"
	"kith/index/pgindex"
	"kith/internal/access/keys"
	"kith/internal/imports/loader"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/query"
)

// dataset is what a process opens.
type dataset struct {
	*postgres.DB

	keeper *keys.Keeper
	ix     engine
}

// engine is a search engine.
type engine interface {
	index.Searcher
	index.Writer
	Setup(ctx context.Context) error
}

// open opens the dataset of an installation as a process does.
func open(ctx context.Context, at servers) (*dataset, error) {
	d, err := connect(ctx, at)
	if err != nil {
		return nil, err
	}
	if err := d.useKeys(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// connect opens a dataset that may have no tables yet.
func connect(ctx context.Context, at servers) (*dataset, error) {
	db, err := postgres.Open(ctx, at.database, postgres.Options{})
	if err != nil {
		return nil, err
	}
	if at.elasticsearch == "" {
		return &dataset{DB: db, ix: pgindex.New(db.Pool())}, nil
	}
	ix, err := elasticindex.New(elasticindex.Config{URLs: []string{at.elasticsearch}, Prefix: at.prefix})
	if err != nil {
		db.Close()
		return nil, err
	}
	return &dataset{DB: db, ix: ix}, nil
}

func (d *dataset) useKeys(ctx context.Context) (err error) {
	if d.keeper, err = keys.Open(ctx, d.Keys(), nil); err == nil {
		err = d.UseKeys(d.keeper.Ring())
	}
	return err
}

// again is the dataset in a process after the crash.
func again(t *testing.T, at servers) *dataset {
	t.Helper()
	d, err := open(t.Context(), at)
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

// stores checks how many people are stored.
func (d *dataset) stores(t *testing.T, when string, people int) {
	t.Helper()
	stored, err := d.Count(t.Context(), record.People)
	expect.NoError(t, err)
	expect.Values(t, "people stored "+when, []any{stored}, int64(people))
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

// createIndex creates the index and drops it when the test ends.
func (d *dataset) createIndex(t *testing.T) {
	t.Helper()
	expect.NoError(t, errors.Join(d.ix.Setup(t.Context()), d.drain(t.Context())))
	t.Cleanup(func() {
		if err := d.ix.(*elasticindex.Driver).Remove(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// Some of the people of a load are new; others are stored already.
func TestCrashedLoadsCanBeRepeated(t *testing.T) {
	const before, all = 20, 60
	load := operation{template: "crash_load", fill: filling(before, nothing), try: func(_ *testing.T, round int) (
		func(context.Context, servers) error, func(*testing.T, servers, bool),
	) {
		known, stored := round*(all-before), false
		lines := persons(known, known+all)
		do := func(ctx context.Context, d *dataset) error {
			_, err := d.load(ctx, lines)
			stored = err == nil
			return errors.Join(err, d.drain(ctx))
		}
		return doing(do), func(t *testing.T, at servers, acknowledged bool) {
			d := again(t, at)
			if stored {
				d.stores(t, "after a load, before the crash", known+all)
			}
			if acknowledged {
				d.holds(t, "after an acknowledged load", known+all)
			}
			expect.NoError(t, do(t.Context(), d))
			d.holds(t, "after the second load", known+all)
			expect.Values(t, "companies", []any{d.count(t, "select count(*) from companies")}, (known+all)/10)
			stats, err := d.load(t.Context(), lines)
			expect.NoError(t, err)
			expect.Values(t, "people that a third load leaves unchanged", []any{stats.Unchanged}, int64(all))
		}
	}}
	load.onPostgres(t)
	load.onElasticsearch(t)
}

// Searches and writes keep using the old version, and the next reindex cleans up.
func TestCrashedReindexLeavesTheOldIndex(t *testing.T) {
	const before, more = 30, 5
	reindex := operation{template: "crash_reindex", fill: filling(before, nothing), try: func(_ *testing.T, round int) (
		func(context.Context, servers) error, func(*testing.T, servers, bool),
	) {
		people := before + round*more
		do := func(ctx context.Context, d *dataset) error { return d.reindex(ctx) }
		return doing(do), func(t *testing.T, at servers, _ bool) {
			d := again(t, at)
			d.holds(t, "after the crash", people)
			_, err := d.load(t.Context(), persons(people, people+more))
			expect.NoError(t, errors.Join(err, d.drain(t.Context())))
			d.holds(t, "after the crash and a load", people+more)
			expect.NoError(t, do(t.Context(), d))
			d.holds(t, "after the next reindex", people+more)
			versions, err := d.ix.Versions(t.Context())
			expect.NoError(t, err)
			expect.Len(t, "versions of the index", versions, 1)
		}
	}}
	reindex.onPostgres(t)
	reindex.onElasticsearch(t)
}
