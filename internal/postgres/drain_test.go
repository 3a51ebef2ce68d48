package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith/index"
	"kith/index/memindex"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/indexed"
)

// Each writer and drainer has its own pool.
func TestConcurrentWritersAndDrainersLoseNothing(t *testing.T) {
	url, ix := pgtest.MigratedURL(t), memindex.New()
	first := pgtest.Dataset(t, url, postgres.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	var drainers, writers sync.WaitGroup
	for range 2 {
		d := indexer.NewDrainer(pgtest.Dataset(t, url, postgres.Options{}), ix, zerolog.Nop())
		drainers.Go(func() { _ = d.Run(ctx) })
	}
	for w := range 3 {
		db := pgtest.Dataset(t, url, postgres.Options{})
		writers.Go(func() {
			for i := range 15 {
				pgtest.Load(t, db, record.People,
					person(fmt.Sprintf("P%d", i),
						fmt.Sprintf(`,"headline":"%d","work_relevant":{"company":{"name":"C%d"}}`, w, i%4)),
					person(fmt.Sprintf("W%d-%d", w, i), ""))
				if i%5 == 4 {
					_, err := indexer.NewKeeper(db).Delete(t.Context(), fmt.Sprintf("w%d-%d", w, i-1))
					expect.NoError(t, err)
				}
				pgtest.Load(t, db, record.Companies, fmt.Sprintf(`{"name":"C%d","headquarters":"%d %d"}`, i%4, w, i))
			}
		})
	}
	writers.Wait()
	expect.NoError(t, indexer.NewDrainer(first, ix, zerolog.Nop()).Drain(t.Context()))
	cancel()
	drainers.Wait()
	checkIndexed(t, first, ix)
}

// checkIndexed fails unless searches find exactly the stored people.
func checkIndexed(t testing.TB, db *postgres.DB, ix index.Searcher) {
	t.Helper()
	ids, err := db.IDs(t.Context(), record.People, 0, 1<<20)
	expect.NoError(t, err)
	people, err := db.PeopleByID(t.Context(), ids)
	expect.NoError(t, err)
	got := found(t, ix)
	if len(got) != len(people) {
		t.Fatalf("%d people are indexed, %d stored", len(got), len(people))
	}
	for _, p := range people {
		if want := p.Person.Result(); !reflect.DeepEqual(got[want.ID], want) {
			t.Fatalf("indexed %+v\nstored  %+v", got[want.ID], want)
		}
	}
}

func TestReindexWhileWriting(t *testing.T) {
	url, ix := pgtest.MigratedURL(t), memindex.New()
	db := pgtest.Dataset(t, url, postgres.Options{})
	var lines []string
	for i := range 3000 {
		lines = append(lines, person(fmt.Sprintf("P%d", i), fmt.Sprintf(`,"work_relevant":{"company":{"name":"C%d"}}`,
			i%30)))
	}
	pgtest.Load(t, db, record.People, lines...)
	d := indexer.NewDrainer(db, ix, zerolog.Nop())
	expect.NoError(t, d.Drain(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	other := pgtest.Dataset(t, url, postgres.Options{})
	var group sync.WaitGroup
	group.Go(func() { _ = indexer.NewDrainer(other, ix, zerolog.Nop()).Run(ctx) })
	group.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			pgtest.Load(t, other, record.People, person(fmt.Sprintf("P%d", i%3000), fmt.Sprintf(`,"headline":"%d"`, i)),
				person(fmt.Sprintf("New%d", i), ""))
			_, err := indexer.NewKeeper(other).Delete(t.Context(), fmt.Sprintf("p%d", (i*7)%3000))
			expect.NoError(t, err)
		}
	})
	for range 3 {
		r := indexer.NewReindexer(d)
		r.Grace = 0
		expect.NoError(t, r.Reindex(t.Context(), nil))
	}
	cancel()
	group.Wait()
	expect.NoError(t, d.Drain(t.Context()))
	checkIndexed(t, db, ix)
}

// A process that dies while it drains releases its lock. The next drainer finishes the work.
func TestDrainerFailover(t *testing.T) {
	url, ix := pgtest.MigratedURL(t), memindex.New()
	db := pgtest.Dataset(t, url, postgres.Options{})
	pgtest.Load(t, db, record.People, person("Ann", ""), person("Bob", ""))
	dying, err := postgres.Open(t.Context(), url, postgres.Options{Name: "dying"})
	expect.NoError(t, err)
	release, err := dying.Lock(t.Context(), "drain")
	expect.NoError(t, err)
	if _, ok, err := db.TryLock(t.Context(), "drain"); ok || err != nil {
		t.Fatalf("two processes hold the lock: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- indexer.NewDrainer(db, ix, zerolog.Nop()).Drain(t.Context()) }()
	_, err = connect(t, url).Exec(t.Context(),
		"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dying' and "+
			"datname = current_database()")
	expect.NoError(t, err)
	expect.NoError(t, <-done)
	release()
	dying.Close()
	checkIndexed(t, db, ix)
}

func TestWaitIgnoresOtherSchemas(t *testing.T) {
	url := pgtest.MigratedURL(t)
	live, demo := pgtest.Dataset(t, url, postgres.Options{}),
		pgtest.Dataset(t, url, postgres.Options{Schema: "kith_demo"})
	expect.NoError(t, live.Wait(t.Context())) // begins to listen
	pgtest.Load(t, demo, record.People, person("Ann", ""))
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := live.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("woken by another schema: %v", err)
	}
	pgtest.Load(t, live, record.People, person("Bob", ""))
	expect.NoError(t, live.Wait(t.Context()))
	if n, err := demo.Count(t.Context(), record.People); n != 1 || err != nil {
		t.Fatalf("%d in the demo schema, %v", n, err)
	}
}

// refusing is an index that refuses one document.
type refusing struct {
	*memindex.Index
	bad int64
}

func (r refusing) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	for _, d := range docs {
		if c == index.People && d.ID == r.bad {
			return errors.New("a field is too long")
		}
	}
	return r.Index.Write(ctx, c, versions, docs, deletes)
}

func TestRefusedRecordsSurviveAReindex(t *testing.T) {
	db, ix := pgtest.NewDataset(t), memindex.New()
	pgtest.Load(t, db, record.People, person("Ann", `,"id":1`), person("Bob", `,"id":2`), person("Cid", `,"id":3`))
	d := indexer.NewDrainer(db, refusing{ix, 2}, zerolog.Nop())
	refused := func() int64 {
		w, err := db.Waiting(t.Context())
		expect.NoError(t, err)
		return w.Refused
	}
	expect.NoError(t, d.Drain(t.Context()))
	if len(found(t, ix)) != 2 || refused() != 1 {
		t.Fatalf("%d indexed, %d refused", len(found(t, ix)), refused())
	}
	expect.NoError(t, indexer.NewReindexer(d).Reindex(t.Context(), nil))
	if refused() != 1 {
		t.Fatal("a reindex forgot a record that it could not index")
	}
	pgtest.Load(t, db, record.People, person("Bob", `,"headline":"shorter"`))
	d = indexer.NewDrainer(db, ix, zerolog.Nop())
	expect.NoError(t, d.Drain(t.Context()))
	if len(found(t, ix)) != 3 || refused() != 0 {
		t.Fatalf("%d indexed, %d refused", len(found(t, ix)), refused())
	}
}
