package pgindex_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"kith/index"
	"kith/index/indextest"
	"kith/index/pgindex"
	"kith/internal/expect"
	"kith/internal/pgtest"
	"kith/query"
	"kith/query/indexed"
)

// loadedPrefilter polls until a prefilter is available: the signatures load in the background.
func loadedPrefilter(t *testing.T, ix *pgindex.Index, q query.Query) index.Prefilter {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		prefilters, err := ix.Prefilters(ctx, []query.Query{q})
		expect.NoError(t, err)
		if len(prefilters) == 1 {
			return prefilters[0]
		}
	}
}

func inOslo() query.Query { return query.Term{Field: query.City, Value: "oslo"} }

// living writes a person living in a city.
func living(t *testing.T, ix *pgindex.Index, versions []string, id, version int64, city string) {
	t.Helper()
	doc := indexed.Flat{
		ID: id, Version: version, Fields: indexed.Fields{Keywords: map[query.Field][]string{query.City: {city}}},
	}
	expect.NoError(t, ix.Write(t.Context(), index.People, versions, []indexed.Flat{doc}, nil))
}

func wantLeft(t *testing.T, prefilter index.Prefilter, people []int64, want ...int64) {
	t.Helper()
	if got := prefilter(people); !slices.Equal(got, want) {
		t.Errorf("of %v the prefilter passes %v, want %v", people, got, want)
	}
}

func TestPrefilterFollowsWrites(t *testing.T) {
	ix := pgtest.Engine(t, pgtest.Pool(t))
	version := []string{activeVersion(t, ix)}
	living(t, ix, version, 1, 1, "oslo")
	living(t, ix, version, 2000, 1, "bonn")
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{2000, 1, 7}, 1)
	living(t, ix, version, 2000, 2, "oslo")
	living(t, ix, version, 7, 1, "oslo")
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{2000, 1, 7}, 2000, 1, 7)
	living(t, ix, version, 1, 2, "bonn")
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{2000, 1, 7}, 2000, 7)
}

// The prefilter sees the changes of a writer that began before the signatures were read and commits
// afterwards, although its transaction is older than the last one seen.
func TestPrefilterSeesSlowWriters(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	version := activeVersion(t, ix)
	living(t, ix, []string{version}, 1, 1, "bonn")
	tx, err := pool.Begin(t.Context())
	expect.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = tx.Exec(t.Context(), `INSERT INTO people_written_`+version+` (ids) VALUES ('{1}');
UPDATE people_`+version+` SET signature = decode(repeat('ff', 128), 'hex') WHERE id = 1;`)
	expect.NoError(t, err)
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{1})
	living(t, ix, []string{version}, 2, 1, "oslo") // a later transaction that commits earlier
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{1, 2}, 2)
	expect.NoError(t, tx.Commit(t.Context()))
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{1, 2}, 1, 2)
}

func TestPrefilterFollowsTheActiveVersion(t *testing.T) {
	ix := pgtest.Engine(t, pgtest.Pool(t))
	old := activeVersion(t, ix)
	living(t, ix, []string{old}, 1, 1, "bonn")
	before := loadedPrefilter(t, ix, inOslo())
	next, err := ix.Create(t.Context())
	expect.NoError(t, err)
	living(t, ix, []string{next}, 1, 2, "oslo")
	expect.NoError(t, errors.Join(ix.Complete(t.Context(), next), ix.Activate(t.Context(), next)))
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{1}, 1)
	wantLeft(t, before, []int64{1})
}

// After many writes the signatures are loaded again, and are correct.
func TestPrefilterIsReloadedAfterManyWrites(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	version := activeVersion(t, ix)
	living(t, ix, []string{version}, 1, 1, "bonn")
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{1})
	living(t, ix, []string{version}, 1, 2, "oslo")
	if _, err := pool.Exec(t.Context(), "INSERT INTO people_written_"+version+" (ids) SELECT array_agg(n) FROM "+
		"generate_series(1, 30000) n"); err != nil {
		t.Fatal(err)
	}
	prefilters, err := ix.Prefilters(t.Context(), []query.Query{inOslo()})
	if err != nil || prefilters != nil {
		t.Errorf("%d prefilters, %v, want none during the reload", len(prefilters), err)
	}
	wantLeft(t, loadedPrefilter(t, ix, inOslo()), []int64{1}, 1)
}

func TestNumbersHaveNoPrefilter(t *testing.T) {
	ix := pgtest.Engine(t, pgtest.Pool(t))
	loadedPrefilter(t, ix, inOslo())
	prefilters, err := ix.Prefilters(t.Context(), []query.Query{query.Exists{Field: query.Rising}, inOslo()})
	if err != nil || len(prefilters) != 2 || prefilters[0] != nil || prefilters[1] == nil {
		t.Errorf("%d prefilters, %v, want one for the term alone", len(prefilters), err)
	}
}

// Everyone who matches a random query passes its prefilter, whatever was written since.
func TestFuzzPrefilter(t *testing.T) {
	indextest.FuzzCorpora(t, func(t *testing.T) indextest.Engine {
		ix := pgtest.Engine(t, pgtest.Pool(t))
		loadedPrefilter(t, ix, inOslo())
		return ix
	}, 5)
}
