package indexer_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"kith/index"
	"kith/index/memindex"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query/indexed"
)

// SetMark can fail before or after it stores the mark.
func (e *engine) SetMark(ctx context.Context, versions []index.Version, mark index.Mark) error {
	if err := e.check("mark", nil); err != nil {
		return err
	}
	return errors.Join(e.Index.SetMark(ctx, versions, mark), e.check("marked", nil))
}

func wantCurrent(t *testing.T, d *indexer.Drainer, want bool) {
	t.Helper()
	got, err := d.State(t.Context())
	if expect.NoError(t, err); got.Current != want {
		t.Errorf("the index follows the records: %v", got.Current)
	}
}

func follow(t *testing.T, s *recordtest.Store, text string) {
	t.Helper()
	recordtest.Load(t, s, record.People, text)
}

// After a restore the index equals the records, whatever was written since the backup or after the
// restore. The log gives the reason of the rebuild.
func TestRestoredRecordsRebuildTheIndex(t *testing.T) {
	forget := func(t *testing.T, s *recordtest.Store) {
		_, err := indexer.NewKeeper(s).Delete(t.Context(), "https://social.example/in/bob")
		expect.NoError(t, err)
	}
	for name, since := range map[string]func(*testing.T, *recordtest.Store){
		"changed": func(t *testing.T, s *recordtest.Store) { follow(t, s, lines(at("Ann", `,"headline":"later"`))) },
		"new":     func(t *testing.T, s *recordtest.Store) { follow(t, s, lines(at("Cem", ""))) },
		"deleted": forget,
	} {
		t.Run(name, func(t *testing.T) {
			s, ix := recordtest.NewStore(), memindex.New()
			follow(t, s, lines(at("Ann", ""), at("Bob", "")))
			expect.NoError(t, newDrainer(s, ix).Drain(t.Context()))
			restore := s.Backup()
			since(t, s)
			expect.NoError(t, newDrainer(s, ix).Drain(t.Context()))
			wantCurrent(t, newDrainer(s, ix), true)

			restore()
			wantCurrent(t, newDrainer(s, ix), false)
			for i := range 5 { // their versions reach and pass those in the index
				follow(t, s, lines(at("Ann", `,"headline":"`+strings.Repeat("x", i+1)+`"`)))
			}
			var log strings.Builder
			expect.NoError(t, indexer.NewDrainer(s, ix, zerolog.New(&log)).Drain(t.Context()))
			checkSame(t, s, ix)
			wantCurrent(t, newDrainer(s, ix), true)
			if !strings.Contains(log.String(), "restored to an earlier state") {
				t.Errorf("the log does not give the reason of the rebuild: %s", &log)
			}
		})
	}
}

// An index that matches the backup is not rebuilt when that backup is restored.
func TestRestoreOfTheIndexedStateKeepsTheIndex(t *testing.T) {
	s, ix := recordtest.NewStore(), memindex.New()
	follow(t, s, lines(at("Ann", "")))
	expect.NoError(t, newDrainer(s, ix).Drain(t.Context()))
	follow(t, s, lines(at("Bob", "")))
	before, _ := versions(t, ix)
	s.Backup()()
	expect.NoError(t, newDrainer(s, ix).Drain(t.Context()))
	checkSame(t, s, ix)
	if after, _ := versions(t, ix); after != before {
		t.Errorf("version %s became %s", before, after)
	}
}

// A restore during a drain or a reindex is detected too: records read before it are stale.
func TestRestoreDuringWritesIsDetected(t *testing.T) {
	for call := 1; call <= 12; call++ {
		for _, work := range []string{"drain", "reindex"} {
			s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
			fillStore(t, s, 1100)
			expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
			restore := s.Backup()
			fillStore(t, s, 1200)
			recordtest.Load(t, s, record.People, lines(at("P3", `,"headline":"later"`)))
			expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
			recordtest.Load(t, s, record.People, lines(at("P4", `,"headline":"later"`)))

			var counting sync.Mutex
			calls := 0
			e.set(func(string, []indexed.Flat) error {
				counting.Lock()
				defer counting.Unlock()
				if calls++; calls == call {
					restore()
				}
				return nil
			})
			d := newDrainer(s, e)
			if work == "drain" {
				_ = d.Drain(t.Context()) // it may fail
			} else {
				_ = reindexer(d).Reindex(t.Context(), nil)
			}
			e.set(nil)
			if calls < call {
				continue
			}
			expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
			checkSame(t, s, e)
		}
	}
}

// A process that dies at any call to the engine, marks included, does not cause a rebuild of the index.
func TestCrashIsNotTakenForARestore(t *testing.T) {
	died := errors.New("died")
	for point := 1; ; point++ {
		s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
		fillStore(t, s, 1200)
		expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
		before, _ := versions(t, e)
		fillStore(t, s, 1300)
		recordtest.Load(t, s, record.Companies, lines(`{"name":"Company 3","industry":"Retail"}`))

		ctx, cancel := context.WithCancel(t.Context())
		calls, dead := 0, false
		e.set(func(call string, _ []indexed.Flat) error {
			if calls++; calls < point {
				return nil
			}
			dead = true
			cancel()
			return died
		})
		err := newDrainer(s, e).Drain(ctx)
		cancel()
		e.set(nil)
		if !dead {
			expect.NoError(t, err)
			if point < 5 {
				t.Fatalf("a drain makes only %d calls", point-1)
			}
			return
		}
		wantCurrent(t, newDrainer(s, e), true)
		expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
		checkSame(t, s, e)
		if after, _ := versions(t, e); after != before {
			t.Fatalf("died at call %d: version %s became %s", point, before, after)
		}
	}
}

// While a reindex runs, the active index follows the records.
func TestActiveIndexFollowsDuringARebuild(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	follow(t, s, lines(at("Ann", ""), at("Bob", "")))
	expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
	e.set(func(call string, _ []indexed.Flat) error {
		if got, err := newDrainer(s, e.Index).State(t.Context()); err != nil || !got.Current {
			t.Errorf("before %s: %+v, %v", call, got, err)
		}
		return nil
	})
	expect.NoError(t, indexer.NewReindexer(newDrainer(s, e)).Reindex(t.Context(), nil))
	wantCurrent(t, newDrainer(s, e), true)
}
