package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"kith"
	"kith/index/memindex"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query/indexed"
)

// employed returns n lines of people. The first lines give only the names of their companies, later ones more.
func employed(n int) string {
	var text strings.Builder
	for i := range n {
		company := fmt.Sprintf(`{"name":"Company %d"}`, i%7)
		if i > n/2 {
			company = fmt.Sprintf(`{"name":"Company %d","industry":"Retail"}`, i%7)
		}
		text.WriteString(worksAt(fmt.Sprintf("P%d", i), company) + "\n")
	}
	return text.String()
}

// filling stores a text into a build, some lines at a time.
func filling(t *testing.T, s *recordtest.Store, text string,
	stats *loader.Stats,
) func(context.Context, *indexer.Build) error {
	rejects := filepath.Join(t.TempDir(), "rejects")
	return func(ctx context.Context, into *indexer.Build) (err error) {
		*stats, err = loader.New(s).File(ctx, record.ForEveryone(), "-", loader.Options{
			Kind: record.People, Stdin: strings.NewReader(text), Rejects: rejects, Into: into, BatchLines: 10,
		})
		return err
	}
}

// step is a concurrent change during the build of an index.
type step struct {
	who     int
	deletes bool
	rests   bool
}

func drawStep(rt *rapid.T) step {
	return step{
		who:     rapid.IntRange(0, 45).Draw(rt, "who"),
		deletes: rapid.Bool().Draw(rt, "deletes"), rests: rapid.Bool().Draw(rt, "rests"),
	}
}

func (st step) do(t *testing.T, s *recordtest.Store) error {
	if st.rests {
		return nil
	}
	name := fmt.Sprintf("P%d", st.who)
	if st.deletes {
		_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/"+strings.ToLower(name))
		return err
	}
	recordtest.Load(t, s, record.People, lines(at(name, `,"headline":"meanwhile"`)))
	return nil
}

// An index that is built during a load has everything stored meanwhile: new people, employees of companies that the
// load changes, and concurrent writes and deletions. Terms are counted as by a reindex.
func TestFillIndexesConcurrentChanges(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
		fillStore(t, s, rapid.IntRange(0, 5).Draw(rt, "before"))
		d := newDrainer(s, e)
		steps := rapid.SliceOfN(rapid.Custom(drawStep), 0, 12).Draw(rt, "steps")
		var mu sync.Mutex // several goroutines write to the engine
		e.set(func(call string, _ []indexed.Flat) error {
			if call == "drop" || !mu.TryLock() {
				return nil
			}
			defer mu.Unlock()
			if len(steps) == 0 {
				return nil
			}
			step := steps[0]
			steps = steps[1:]
			return step.do(t, s)
		})
		var stats loader.Stats
		expect.NoError(t, reindexer(d).Fill(t.Context(), nil, filling(t, s, employed(40), &stats)))
		e.set(nil)
		if stats.Read != 40 || stats.Rejected != 0 {
			t.Errorf("got the stats %+v, want 40 lines read", stats)
		}
		expect.NoError(t, d.Drain(t.Context()))
		checkSame(t, s, e)
	})
}

func TestFillQueuesNoNewRecords(t *testing.T) {
	s, ix := recordtest.NewStore(), memindex.New()
	d := newDrainer(s, ix)
	var stats loader.Stats
	expect.NoError(t, reindexer(d).Fill(t.Context(), nil, func(ctx context.Context, into *indexer.Build) error {
		err := filling(t, s, lines(worksAt("Ann", `{"name":"Acme"}`), worksAt("Bob", `{"name":"Other"}`)), &stats)(ctx,
			into)
		if n := len(s.State.Outbox); n != 0 {
			t.Errorf("%d records are in the queue, want none", n)
		}
		return err
	}))
	checkSame(t, s, ix)
	counted := maps.Clone(s.Words)
	expect.NoError(t, reindexer(d).Reindex(t.Context(), nil))
	if !maps.Equal(counted, s.Words) {
		t.Errorf("terms are counted as %v, by a reindex as %v", counted, s.Words)
	}
	called := false
	err := reindexer(d).Fill(t.Context(), nil, func(context.Context,
		*indexer.Build,
	) error {
		called = true
		return nil
	})
	if !errors.Is(err, indexer.ErrBuilt) || called {
		t.Errorf("an index that is already built was filled: %v", err)
	}
}

// An aborted load is repeated. Its records are neither lost nor duplicated.
func TestFillRepeatsAnAbortedLoad(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	d := newDrainer(s, e)
	stop := errors.New("broken off")
	var first, second loader.Stats
	err := reindexer(d).Fill(t.Context(), nil, func(ctx context.Context, into *indexer.Build) error {
		return errors.Join(filling(t, s, employed(25), &first)(ctx, into), stop)
	})
	if !errors.Is(err, stop) || first.Created != 25 {
		t.Fatalf("got %v, stats %+v, want 25 created and an aborted load", err, first)
	}
	if _, n := versions(t, e); n != 1 {
		t.Errorf("%d versions are left", n)
	}
	expect.NoError(t, reindexer(d).Fill(t.Context(), nil, filling(t, s, employed(40), &second)))
	if second.Created != 15 {
		t.Errorf("got the stats %+v, want 15 created", second)
	}
	checkSame(t, s, e)
}

// A failure of the engine ends the load with the reason.
func TestFillFailsWithTheEngine(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	e.set(func(call string, _ []indexed.Flat) error {
		if call == "write" {
			return errFull()
		}
		return nil
	})
	var stats loader.Stats
	err := reindexer(newDrainer(s, e)).Fill(t.Context(), nil, filling(t, s, employed(400), &stats))
	if !errors.Is(err, kith.ErrDiskFull) {
		t.Errorf("got %v, want ErrNoRoom", err)
	}
}
