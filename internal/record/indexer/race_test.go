package indexer_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query/analysis"
	"kith/query/indexed"
)

// lost is a store whose locks were released by the database with the connection, unnoticed by the process.
type lost struct{ *recordtest.Store }

func (lost) Lock(context.Context, string) (func(), error) { return func() {}, nil }

func (lost) TryLock(context.Context, string) (func(), bool, error) { return func() {}, true, nil }

// A drainer that has lost its lock writes a person whom another drainer has deleted from the index.
// The person does not stay there, and is counted once.
func TestLockLostWhileWriting(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	other := newSynced(t, s, e.Index)
	recordtest.Load(t, s, record.People, lines(at("Ann", ""), at("Bob", "")))
	slow := indexer.NewDrainer(lost{s}, e, zerolog.Nop())
	e.set(func(call string, docs []indexed.Flat) error {
		if call != "write" || len(docs) == 0 {
			return nil
		}
		e.set(nil)
		expect.NoError(t, other.Drain(t.Context()))
		_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/ann")
		expect.NoError(t, err)
		expect.NoError(t, other.Drain(t.Context()))
		return nil
	})
	expect.NoError(t, slow.Drain(t.Context()))
	expect.NoError(t, other.Drain(t.Context()))
	checkSame(t, s, e)
	if n := s.Words[analysis.Term{Kind: analysis.TermFirstName, Text: "bob"}]; n != 1 {
		t.Errorf("Bob is counted %d times", n)
	}
}

// wiped is an engine whose versions have IDs, and which can lose them.
type wiped struct {
	*memindex.Index
	id string
}

func (w *wiped) Versions(ctx context.Context) ([]index.Version, error) {
	versions, err := w.Index.Versions(ctx)
	for i := range versions {
		versions[i].ID = w.id
	}
	return versions, err
}

// An engine was emptied and has an empty version of the same name as before. It is built anew.
func TestEmptiedEngineIsBuiltAnew(t *testing.T) {
	s, e := recordtest.NewStore(), &wiped{memindex.New(), "one"}
	fillStore(t, s, 20)
	expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
	name, _ := versions(t, e)
	e.Index, e.id = memindex.New(), "two"
	for got := ""; got != name; got, _ = versions(t, e) {
		expect.NoError(t, e.Activate(t.Context(), create(t, e)))
	}
	wantComplete(t, newDrainer(s, e), false)
	expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
	checkSame(t, s, e)
	wantComplete(t, newDrainer(s, e), true)
}

// named is an engine with another name.
type named struct{ *engine }

func (named) Engine() string { return "another" }

// While another engine's index is built, the drainer of the old engine leaves the queue alone. The
// new engine would miss those changes.
func TestOldEngineDoesNotDrainDuringABuild(t *testing.T) {
	s, first := recordtest.NewStore(), memindex.New()
	fillStore(t, s, 20)
	old := newSynced(t, s, first)
	second := named{&engine{Index: memindex.New()}}
	copied := false
	second.set(func(call string, docs []indexed.Flat) error {
		if call != "write" || copied || len(docs) < 20 {
			return nil
		}
		// These documents are about to be written, and are outdated by then.
		copied = true
		recordtest.Load(t, s, record.People, lines(at("P3", `,"headline":"later"`)))
		if err := old.Drain(t.Context()); kith.KindOf(err) != kith.Unavailable {
			t.Errorf("the old engine was drained too: %v", err)
		}
		return nil
	})
	d := newDrainer(s, second)
	expect.NoError(t, d.Drain(t.Context()))
	expect.NoError(t, d.Drain(t.Context()))
	checkSame(t, s, second)
	if !copied {
		t.Fatal("the hook never saw the copy")
	}
	// Back to the old engine.
	expect.NoError(t, old.Drain(t.Context()))
	checkSame(t, s, first)
}

// A write that reaches the engine after the deletion of its person does not stay.
func TestSweepRemovesLateWrites(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	d := newSynced(t, s, e)
	recordtest.Load(t, s, record.People, lines(at("Ann", ""), at("Bob", "")))
	var late []indexed.Flat
	e.set(func(_ string, docs []indexed.Flat) error {
		late = append(late, docs...)
		return nil
	})
	expect.NoError(t, d.Drain(t.Context()))
	_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/ann")
	expect.NoError(t, err)
	expect.NoError(t, d.Drain(t.Context()))
	arrive := func() {
		t.Helper()
		name, _ := versions(t, e)
		expect.NoError(t, e.Index.Write(t.Context(), index.People, []string{name}, late, nil))
		if n := len(found(t, e)); n != 2 {
			t.Fatalf("%d people are indexed", n)
		}
	}
	arrive()
	expect.NoError(t, d.Sweep(t.Context()))
	checkSame(t, s, e)

	// A running drainer sweeps by itself.
	arrive()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- d.Run(ctx) }()
	for len(found(t, e)) > 1 {
		runtime.Gosched()
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	checkSame(t, s, e)
}

// A reindex into another engine may fail before it takes anything off the queue. Then the old
// engine still gets the queue and needs no rebuild; after a later failure it does.
func TestFailedReindexKeepsTheQueueForTheOldEngine(t *testing.T) {
	for call, again := range map[string]bool{"create": false, "write": false, "activate": true} {
		s, first := recordtest.NewStore(), memindex.New()
		fillStore(t, s, 20)
		old := newSynced(t, s, first)
		before, _ := versions(t, first)
		second := named{&engine{Index: memindex.New()}}
		ctx, cancel := context.WithCancel(t.Context())
		second.set(func(now string, _ []indexed.Flat) error {
			if now != call {
				return nil
			}
			cancel()
			return errors.New("no room")
		})
		if err := reindexer(newDrainer(s, second)).Reindex(ctx, nil); err == nil {
			t.Fatalf("%s: the reindex did not fail", call)
		}
		fillStore(t, s, 25)
		expect.NoError(t, old.Drain(t.Context()))
		checkSame(t, s, first)
		if after, _ := versions(t, first); (after != before) != again {
			t.Errorf("%s failed: the old engine had version %s and has %s", call, before, after)
		}
	}
}
