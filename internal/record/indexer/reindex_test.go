package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"kith/index"
	"kith/index/memindex"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query/indexed"
)

func reindexer(d *indexer.Drainer) *indexer.Reindexer {
	r := indexer.NewReindexer(d)
	r.Grace = 0
	return r
}

func versions(t testing.TB, w index.Writer) (active string, all int) {
	t.Helper()
	list, err := w.Versions(t.Context())
	expect.NoError(t, err)
	for _, v := range list {
		if v.Active {
			active = v.Name
		}
	}
	return active, len(list)
}

// forgetful is an engine whose completed versions lack the documents of some people.
type forgetful struct {
	*memindex.Index
	lost []int64
}

func (f forgetful) Complete(ctx context.Context, name string) error {
	return errors.Join(f.Index.Complete(ctx, name), f.Write(ctx, index.People, []string{name}, nil, f.lost))
}

// Searches do not switch to a version that has lost documents.
func TestReindexKeepsTheOldVersionIfDocumentsAreMissing(t *testing.T) {
	s, ix := recordtest.NewStore(), memindex.New()
	fillStore(t, s, 50)
	expect.NoError(t, reindexer(newDrainer(s, ix)).Reindex(t.Context(), nil))
	before, _ := versions(t, ix)
	lost, err := s.IDs(t.Context(), record.People, 0, 2)
	expect.NoError(t, err)
	err = reindexer(newDrainer(s, forgetful{ix, lost})).Reindex(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "the new index has 48 people and there are 50") {
		t.Errorf("got %v, want an error: the new index must not be used", err)
	}
	if after, n := versions(t, ix); after != before || n != 1 {
		t.Errorf("version %s of %d is active, want %s alone", after, n, before)
	}
	checkSame(t, s, ix)
}

func TestReindexReplacesTheVersion(t *testing.T) {
	s, ix := recordtest.NewStore(), memindex.New()
	fillStore(t, s, 2500)
	d := newDrainer(s, ix)
	var last indexer.Progress
	expect.NoError(t, reindexer(d).Reindex(t.Context(), func(p indexer.Progress) {
		if !p.Completing {
			last = p
		}
	}))
	checkSame(t, s, ix)
	if last.Done != 2507 || last.Total != 2507 {
		t.Fatalf("the last progress is %+v, want 2507 of 2507", last)
	}
	before, _ := versions(t, ix)
	expect.NoError(t, reindexer(d).Reindex(t.Context(), nil))
	after, n := versions(t, ix)
	if before == after || n != 1 {
		t.Fatalf("version %s, then %s of %d", before, after, n)
	}
}

func TestOneReindexAtATime(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	fillStore(t, s, 10)
	d := newDrainer(s, e)
	e.set(func(call string, _ []indexed.Flat) error {
		if call == "activate" {
			if err := reindexer(newDrainer(s, e)).Reindex(t.Context(), nil); !errors.Is(err, indexer.ErrReindexRuns) {
				t.Errorf("a second reindex ran: %v", err)
			}
		}
		return nil
	})
	expect.NoError(t, reindexer(d).Reindex(t.Context(), nil))
}

// Completing a large version takes minutes. Searches see the writes of that time.
func TestWritesAreSeenWhileAVersionIsCompleted(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	d := newSynced(t, s, e)
	fillStore(t, s, 10)
	expect.NoError(t, d.Drain(t.Context()))
	completed := false
	e.set(func(call string, _ []indexed.Flat) error {
		if call == "complete" {
			completed = true
			recordtest.Load(t, s, record.People, lines(at("P3", `,"headline":"later"`)))
			expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
			checkSame(t, s, e)
		}
		return nil
	})
	reported := false
	expect.NoError(t, reindexer(d).Reindex(t.Context(), func(p indexer.Progress) {
		reported = reported ||
			p.Completing
	}))
	checkSame(t, s, e)
	if !completed || !reported {
		t.Errorf("completed: %t, progress reported: %t", completed, reported)
	}
}

// People are written, changed and deleted, and the queue is sometimes drained, at each step of a
// reindex. The new version has every change.
func TestReindexWhileWriting(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
		d := newSynced(t, s, e)
		fillStore(t, s, 40)
		busy := false
		e.set(func(call string, docs []indexed.Flat) error {
			// The drain of a step must not cause further steps.
			if busy || call == "drop" {
				return nil
			}
			busy = true
			defer func() { busy = false }()
			for range rapid.IntRange(0, 3).Draw(rt, "writes") {
				name := fmt.Sprintf("P%d", rapid.IntRange(0, 45).Draw(rt, "who"))
				if rapid.Bool().Draw(rt, "delete") {
					_, err := indexer.NewKeeper(s).Delete(t.Context(),
						"https://social.example/in/"+strings.ToLower(name))
					expect.NoError(t, err)
					continue
				}
				recordtest.Load(t, s, record.People,
					lines(at(name, fmt.Sprintf(`,"headline":"%d"`, rapid.Int().Draw(rt, "headline")))))
			}
			return nil
		})
		expect.NoError(t, reindexer(d).Reindex(t.Context(), nil))
		e.set(nil)
		expect.NoError(t, d.Drain(t.Context()))
		checkSame(t, s, e)
	})
}

// A reindex takes hours, and continues after the engine was unavailable for some minutes.
func TestReindexWaitsForTheEngine(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
		_, err := loader.New(s).File(t.Context(), record.ForEveryone(), "-", loader.Options{
			Kind: record.People, Rejects: filepath.Join(dir, "r"), Stdin: strings.NewReader(lines(at("Ann", ""),
				at("Bob", ""))),
		})
		expect.NoError(t, err)
		began := time.Now()
		e.set(func(call string, _ []indexed.Flat) error {
			if call == "write" && time.Since(began) < 3*time.Minute {
				return errAway()
			}
			return nil
		})
		expect.NoError(t, reindexer(newDrainer(s, e)).Reindex(t.Context(), nil))
		checkSame(t, s, e)
	})
}

// The copy may hold a record that is deleted before the copy writes it.
func TestDeletionDuringTheCopyReachesTheNewVersion(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	fillStore(t, s, 30)
	d := newDrainer(s, e)
	expect.NoError(t, d.Drain(t.Context()))
	deleted := false
	e.set(func(call string, docs []indexed.Flat) error {
		if call != "write" || deleted || len(docs) < 30 {
			return nil
		}
		// These documents are about to be written. The deletion is drained into both versions first.
		deleted = true
		_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/p3")
		expect.NoError(t, err)
		return d.Drain(t.Context())
	})
	expect.NoError(t, reindexer(d).Reindex(t.Context(), nil))
	checkSame(t, s, e)
	if !deleted {
		t.Fatal("the hook never deleted the person")
	}
}

// An engine may execute an abandoned request of the copy after the reindex. A person who was
// deleted meanwhile is removed by the next sweep.
func TestSweepRemovesLateCopies(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	fillStore(t, s, 30)
	d := newDrainer(s, e)
	expect.NoError(t, d.Drain(t.Context()))
	var late []indexed.Flat
	e.set(func(call string, docs []indexed.Flat) error {
		if call == "write" && late == nil && len(docs) == 30 {
			late = docs
			_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/p3")
			expect.NoError(t, err)
		}
		return nil
	})
	expect.NoError(t, reindexer(d).Reindex(t.Context(), nil))
	name, _ := versions(t, e)
	expect.NoError(t, e.Index.Write(t.Context(), index.People, []string{name}, late, nil))
	if n := len(found(t, e)); n != 30 {
		t.Fatalf("%d people are indexed", n)
	}
	expect.NoError(t, d.Sweep(t.Context()))
	checkSame(t, s, e)
}

// A process that dies at any call to the engine leaves the active version and the queue intact. The
// next process catches up, reindexes, and leaves no abandoned versions.
func TestReindexRecoversFromACrashAtAnyCall(t *testing.T) {
	died := errors.New("died")
	for point := 1; ; point++ {
		s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
		fillStore(t, s, 1200)
		expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
		before := found(t, e)
		fillStore(t, s, 1250)

		ctx, cancel := context.WithCancel(t.Context())
		calls, dead := 0, false
		var counting sync.Mutex // pages are copied at the same time
		e.set(func(string, []indexed.Flat) error {
			counting.Lock()
			defer counting.Unlock()
			if calls++; calls >= point {
				dead = true
				cancel()
				return died
			}
			return nil
		})
		err := reindexer(newDrainer(s, e)).Reindex(ctx, nil)
		cancel()
		if !dead {
			expect.NoError(t, err)
			if point < 8 {
				t.Fatalf("a reindex makes only %d calls", point-1)
			}
			return
		}
		if got := found(t, e); len(got) < len(before) {
			t.Fatalf("died at call %d: %d of %d people are found", point, len(got), len(before))
		}
		e.set(nil)
		d := newDrainer(s, e)
		expect.NoError(t, d.Drain(t.Context()))
		checkSame(t, s, e)
		expect.NoError(t, reindexer(d).Reindex(t.Context(), nil))
		checkSame(t, s, e)
		if _, n := versions(t, e); n != 1 {
			t.Fatalf("died at call %d: %d versions are left", point, n)
		}
	}
}
