package indexer_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/indexer"
	"kith/internal/record/recordtest"
)

func full() error { return kith.DiskFull("memory", errors.New("no space left on device")) }

// Half an index keeps the disk full, so the reindex stops at once and says so. The old index and
// the queue stay intact.
func TestReindexStopsOnAFullDisk(t *testing.T) {
	for _, step := range []string{"create", "write", "activate"} {
		s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
		fillStore(t, s, 30)
		check(t, newDrainer(s, e).Drain(t.Context()))
		before, _ := versions(t, e)
		var tries atomic.Int64
		e.set(func(call string, _ []index.Flat) error {
			if call != step {
				return nil
			}
			tries.Add(1)
			return full()
		})
		fillStore(t, s, 40)
		err := reindexer(newDrainer(s, e)).Reindex(t.Context(), nil)
		if !errors.Is(err, kith.ErrDiskFull) || !strings.Contains(err.Error(), "stays as it was") || tries.Load() != 1 {
			t.Errorf("%s: %v, tried %d times", step, err, tries.Load())
		}
		if after, n := versions(t, e); after != before || n != 1 {
			t.Errorf("%s: version %s, then %s of %d", step, before, after, n)
		}
		e.set(nil)
		check(t, newDrainer(s, e).Drain(t.Context()))
		checkSame(t, s, e)
	}
}

// The remains of a dead reindex take space that writers of the index need. The log reports the full
// disk even after an outage of the engine.
func TestRunReportsAFullDisk(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	level(t, s, e)
	fillStore(t, s, 20)
	var log bytes.Buffer
	left := false
	e.set(func(call string, _ []index.Flat) error { // one drainer makes one call at a time
		if call != "write" {
			return nil
		}
		if !left {
			left = true
			_, err := e.Index.Create(t.Context())
			return errors.Join(away(), err)
		}
		if _, n := versions(t, e); n > 1 {
			return full()
		}
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- indexer.NewDrainer(s, e, zerolog.New(&log).Level(zerolog.InfoLevel)).Run(ctx)
	}()
	for n := int64(1); n > 0; {
		var err error
		n, err = s.Backlog(t.Context(), s.State.Seq)
		check(t, err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	checkSame(t, s, e)
	if said := strings.Count(log.String(), "disk is full"); said != 1 {
		t.Errorf("the full disk was logged %d times:\n%s", said, log.String())
	}
}
