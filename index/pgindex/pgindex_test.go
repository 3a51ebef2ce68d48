package pgindex_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/index/pgindex"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
	"kith/query/indexed"
)

func newEngine(t *testing.T) indextest.Engine { return pgtest.Engine(t, pgtest.Pool(t)) }

func newWalker(t *testing.T) indextest.Engine {
	ix := pgtest.Engine(t, pgtest.Pool(t))
	ix.WalkSoon()
	return ix
}

func TestConformance(t *testing.T) { indextest.Run(t, newEngine) }

func TestFuzz(t *testing.T) { indextest.Fuzz(t, newEngine) }

func TestFuzzCareers(t *testing.T) { indextest.FuzzCareers(t, newEngine) }

// Both strategies of a search must find the same people. Small tests use the second one only if told to.
func TestFuzzByRank(t *testing.T) { indextest.FuzzCorpora(t, newWalker, 10) }

func write(t *testing.T, ix *pgindex.Index, version string) {
	t.Helper()
	var flats []indexed.Flat
	for _, d := range indextest.Corpus(t, index.People) {
		flats = append(flats, indexed.Flatten(d))
	}
	expect.NoError(t, ix.Write(t.Context(), index.People, []string{version}, flats, nil))
}

func activeVersion(t *testing.T, ix *pgindex.Index) string {
	t.Helper()
	versions, err := ix.Versions(t.Context())
	expect.NoError(t, err)
	for _, v := range versions {
		if v.Active {
			return v.Name
		}
	}
	t.Fatalf("no active version among %v", versions)
	return ""
}

func everyone() index.FindRequest { return index.FindRequest{Query: query.All{}, Limit: 100} }

// After a switch by another process, searches must use the new version at once, and must not fail on dropped tables.
func TestSearchesFollowASwitchByAnotherProcess(t *testing.T) {
	url := pgtest.URL(t)
	here, there := pgtest.Engine(t, connect(t, url)), pgtest.Engine(t, connect(t, url))
	old := activeVersion(t, here)
	if hits, err := there.Find(t.Context(), index.People, everyone()); err != nil || len(hits) != 0 {
		t.Fatalf("found %d, %v in an empty index", len(hits), err)
	}
	next, err := here.Create(t.Context())
	expect.NoError(t, err)
	write(t, here, next)
	expect.NoError(t, errors.Join(here.Complete(t.Context(), next), here.Activate(t.Context(), next)))
	if n, err := there.Count(t.Context(), index.People, query.All{}, 0); err != nil || n != 22 {
		t.Errorf("after the switch: counted %d, %v, want 22", n, err)
	}
	third, err := here.Create(t.Context())
	expect.NoError(t, err)
	expect.NoError(t, errors.Join(here.Activate(t.Context(), third), here.Drop(t.Context(), next),
		here.Drop(t.Context(), old)))
	if hits, err := there.Find(t.Context(), index.People, everyone()); err != nil || len(hits) != 0 {
		t.Errorf("after the old version was dropped: found %d, %v, want none", len(hits), err)
	}
}

func connect(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), url)
	expect.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func TestConcurrentSetupsMakeOneVersion(t *testing.T) {
	pool := pgtest.Pool(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := pgindex.New(pool).Setup(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	versions, err := pgindex.New(pool).Versions(t.Context())
	if err != nil || len(versions) != 1 {
		t.Errorf("versions %v, %v, want one", versions, err)
	}
}

func TestIndexIsUnavailableBeforeSetup(t *testing.T) {
	ix := pgindex.New(pgtest.Pool(t))
	_, err := ix.Find(t.Context(), index.People, everyone())
	for what, err := range map[string]error{"find": err, "check": ix.Check(t.Context())} {
		if kith.KindOf(err) != kith.Unavailable {
			t.Errorf("%s: got %v, want Unavailable", what, err)
		}
	}
}

func TestCallsAreUnavailableWhilePostgresIsStopped(t *testing.T) {
	server := pgtest.NewServer(t)
	ix := pgtest.Engine(t, server.Pool(t))
	version := activeVersion(t, ix)
	write(t, ix, version)
	server.Stop(t)
	_, findErr := ix.Find(t.Context(), index.People, everyone())
	_, countErr := ix.Count(t.Context(), index.People, query.All{}, 0)
	_, versionsErr := ix.Versions(t.Context())
	_, createErr := ix.Create(t.Context())
	for what, err := range map[string]error{
		"find": findErr, "count": countErr, "versions": versionsErr, "create": createErr,
		"check": ix.Check(t.Context()),
		"write": ix.Write(t.Context(), index.People, []string{version}, nil, []int64{1}),
	} {
		if kith.KindOf(err) != kith.Unavailable {
			t.Errorf("%s: got %v, want Unavailable", what, err)
		}
	}
	server.Start(t)
	if n, err := ix.Count(t.Context(), index.People, query.All{}, 0); err != nil || n != 22 {
		t.Errorf("after the restart: counted %d, %v, want 22", n, err)
	}
}

func TestClosedPoolIsUnavailable(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	pool.Close()
	if err := ix.Check(context.Background()); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
}

// A write into a version under construction may mix new, newer and older documents.
func TestVersionUnderConstructionKeepsTheNewestDocuments(t *testing.T) {
	ix := pgtest.Engine(t, pgtest.Pool(t))
	next, err := ix.Create(t.Context())
	expect.NoError(t, err)
	to := []string{next}
	living(t, ix, to, 1, 5, "oslo")
	living(t, ix, []string{activeVersion(t, ix), next}, 2, 5, "oslo")
	var docs []indexed.Flat
	for id, version := range map[int64]int64{1: 4, 2: 6, 3: 1} {
		docs = append(docs, indexed.Flat{
			ID: id, Version: version, Fields: indexed.Fields{Keywords: map[query.Field][]string{query.City: {"bonn"}}},
		})
	}
	for range 2 {
		expect.NoError(t, ix.Write(t.Context(), index.People, to, docs, nil))
	}
	expect.NoError(t, errors.Join(ix.Complete(t.Context(), next), ix.Activate(t.Context(), next)))
	hits, err := ix.Find(t.Context(), index.People,
		index.FindRequest{Query: query.Term{Field: query.City, Value: "bonn"}, Limit: 5})
	if err != nil || len(hits) != 2 || hits[0].ID != 2 || hits[1].ID != 3 {
		t.Errorf("found %v, %v, want 2, which is newer, and 3, which is new", hits, err)
	}
	if n, err := ix.Count(t.Context(), index.People, inOslo(), 0); err != nil || n != 1 {
		t.Errorf("%d in Oslo, %v, want the one whose newer document is there", n, err)
	}
}

// Postgres cannot store a NUL. Such a value is refused together with its batch.
func TestUnstorableValueRefusesItsBatch(t *testing.T) {
	ix := pgtest.Engine(t, pgtest.Pool(t))
	good := indexed.Flatten(indextest.Corpus(t, index.People)[0])
	bad := indexed.Flat{ID: 5, Version: 1, Fields: indextest.NewFields()}
	bad.Fields.Keywords[query.City] = []string{"ber\x00lin"}
	if err := ix.Write(t.Context(), index.People, []string{activeVersion(t, ix)}, []indexed.Flat{good, bad},
		nil); err == nil {
		t.Error("a value with NUL was stored")
	}
	if n, err := ix.Count(t.Context(), index.People, query.All{}, 0); err != nil || n != 0 {
		t.Errorf("counted %d, %v, want none", n, err)
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
