package indexer_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/record/indexer"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query/indexed"
)

func errFull() error { return kith.DiskFull("memory", errors.New("no space left on device")) }

// Half an index keeps the disk full, so the reindex stops at once and says so. The old index and the queue stay intact.
func TestReindexStopsOnAFullDisk(t *testing.T) {
	for _, step := range []string{"create", "write", "activate"} {
		s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
		fillStore(t, s, 30)
		expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
		before, _ := versions(t, e)
		var tries atomic.Int64
		e.set(func(call string, _ []indexed.Flat) error {
			if call != step {
				return nil
			}
			tries.Add(1)
			return errFull()
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
		expect.NoError(t, newDrainer(s, e).Drain(t.Context()))
		checkSame(t, s, e)
	}
}

// The remains of a dead reindex take space that writers of the index need. The log reports the full
// disk even after an outage of the engine.
func TestRunReportsAFullDisk(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	newSynced(t, s, e)
	fillStore(t, s, 20)
	var log bytes.Buffer
	left := false
	e.set(func(call string, _ []indexed.Flat) error { // one drainer makes one call at a time
		if call != "write" {
			return nil
		}
		if !left {
			left = true
			_, err := e.Index.Create(t.Context())
			return errors.Join(errAway(), err)
		}
		if _, n := versions(t, e); n > 1 {
			return errFull()
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
		expect.NoError(t, err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	checkSame(t, s, e)
	if logged := strings.Count(log.String(), "disk is full"); logged != 1 {
		t.Errorf("the full disk was logged %d times:\n%s", logged, log.String())
	}
}

// halved is an engine with a version of which one half is missing, as after a crash during its creation.
type halved struct {
	*memindex.Index
	version string
	missing index.Collection
}

func (h *halved) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	if c == h.missing && slices.Contains(versions, h.version) {
		return kith.Errorf(kith.NotFound, "INDEX_VERSION_NOT_FOUND", "there is no index version %q", h.version)
	}
	return h.Index.Write(ctx, c, versions, docs, deletes)
}

// An incomplete version refuses no document, and is soon replaced.
func TestIncompleteVersionRefusesNoDocument(t *testing.T) {
	for _, missing := range []index.Collection{index.Companies, index.People} {
		s, e := recordtest.NewStore(), &halved{Index: memindex.New(), missing: missing}
		d := newSynced(t, s, e)
		e.version = create(t, e)
		fillStore(t, s, 30)

		// Another process may be about to create the other half.
		release, _, err := s.TryLock(t.Context(), "reindex")
		expect.NoError(t, err)
		if err := d.Drain(t.Context()); kith.KindOf(err) != kith.NotFound {
			t.Errorf("drained into a version without %s: %v", missing, err)
		}
		release()
		if n, err := d.Backlog(t.Context()); err != nil || n == 0 || len(s.State.Refused) > 0 {
			t.Errorf("without %s %d are queued and %d refused, %v", missing, n, len(s.State.Refused), err)
		}

		expect.NoError(t, d.Drain(t.Context()))
		checkSame(t, s, e)
		if _, n := versions(t, e); n != 1 || len(s.State.Refused) > 0 {
			t.Errorf("without %s: %d versions are left, %d records refused", missing, n, len(s.State.Refused))
		}
	}
}

// A reindex fails if its version is dropped, and refuses no document.
func TestReindexFailsIfItsVersionIsDropped(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	d := newSynced(t, s, e)
	fillStore(t, s, 30)
	e.set(func(call string, _ []indexed.Flat) error {
		list, err := e.Versions(t.Context())
		if err != nil || call != "write" || len(list) < 2 {
			return err
		}
		return e.Index.Drop(t.Context(), list[1].Name)
	})
	if err := reindexer(d).Reindex(t.Context(), nil); kith.KindOf(err) != kith.NotFound {
		t.Errorf("got %v, want NotFound", err)
	}
	e.set(nil)
	expect.NoError(t, d.Drain(t.Context()))
	checkSame(t, s, e)
	if len(s.State.Refused) > 0 {
		t.Errorf("%d records are refused", len(s.State.Refused))
	}
	expect.NoError(t, reindexer(d).Reindex(t.Context(), nil))
}
