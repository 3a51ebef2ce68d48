package indexer_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/record/indexer"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query/indexed"
)

// stuck is an engine of which a node hangs until a moment: writes wait for it, without an error.
type stuck struct {
	*memindex.Index
	until time.Time
}

func (s stuck) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	select {
	case <-time.After(time.Until(s.until)):
		return s.Index.Write(ctx, c, versions, docs, deletes)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Available implements [index.Checker].
func (s stuck) Available(context.Context, string) error {
	if time.Now().Before(s.until) {
		return errAway()
	}
	return nil
}

// A reindex says within ten seconds that it waits for the engine, and why, and goes on when that is back.
func TestReindexTellsWhyItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, began := recordtest.NewStore(), time.Now()
		fillStore(t, s, 30)
		e := stuck{memindex.New(), began.Add(2 * time.Minute)}
		var told time.Duration
		var last indexer.Progress
		expect.NoError(t, reindexer(newDrainer(s, e)).Reindex(t.Context(), func(p indexer.Progress) {
			if last = p; p.Waiting != "" && told == 0 {
				told = time.Since(began)
			}
		}))
		if told == 0 || told > 10*time.Second || last.Waiting != "" {
			t.Errorf("the wait was told after %s, and at the end: %q", told, last.Waiting)
		}
		checkSame(t, s, e)
	})
}

// A reindex ends, and leaves the old version, if the engine stays away; a write that never returns does not keep it.
func TestReindexEndsIfTheEngineStaysAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, ix := recordtest.NewStore(), memindex.New()
		fillStore(t, s, 30)
		expect.NoError(t, reindexer(newDrainer(s, ix)).Reindex(t.Context(), nil))
		before, _ := versions(t, ix)
		began := time.Now()
		err := reindexer(newDrainer(s, stuck{ix, began.Add(time.Hour)})).Reindex(t.Context(), nil)
		if kith.KindOf(err) != kith.Unavailable || !strings.Contains(err.Error(), "refused") ||
			!strings.Contains(err.Error(), "stays as it was") || time.Since(began) > 4*time.Minute {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		if after, n := versions(t, ix); after != before || n != 1 {
			t.Errorf("version %s of %d is active, want %s alone", after, n, before)
		}
	})
}
