package indexer_test

import (
	"context"
	"slices"
	"testing"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/record/recordtest"
)

// halved is an engine with a version of which one half is missing, as after a crash during its
// creation.
type halved struct {
	*memindex.Index
	version string
	missing index.Collection
}

func (h *halved) Write(ctx context.Context, c index.Collection, versions []string, docs []index.Flat,
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
		d := level(t, s, e)
		e.version = create(t, e)
		fillStore(t, s, 30)

		// Another process may be about to create the other half.
		release, _, err := s.TryLock(t.Context(), "reindex")
		check(t, err)
		if err := d.Drain(t.Context()); kith.KindOf(err) != kith.NotFound {
			t.Errorf("drained into a version without %s: %v", missing, err)
		}
		release()
		if n, err := d.Backlog(t.Context()); err != nil || n == 0 || len(s.State.Refused) > 0 {
			t.Errorf("without %s %d are queued and %d refused, %v", missing, n, len(s.State.Refused), err)
		}

		check(t, d.Drain(t.Context()))
		checkSame(t, s, e)
		if _, n := versions(t, e); n != 1 || len(s.State.Refused) > 0 {
			t.Errorf("without %s: %d versions are left, %d records refused", missing, n, len(s.State.Refused))
		}
	}
}

// A reindex fails if its version is dropped, and refuses no document.
func TestReindexFailsIfItsVersionIsDropped(t *testing.T) {
	s, e := recordtest.NewStore(), &engine{Index: memindex.New()}
	d := level(t, s, e)
	fillStore(t, s, 30)
	e.set(func(call string, _ []index.Flat) error {
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
	check(t, d.Drain(t.Context()))
	checkSame(t, s, e)
	if len(s.State.Refused) > 0 {
		t.Errorf("%d records are refused", len(s.State.Refused))
	}
	check(t, reindexer(d).Reindex(t.Context(), nil))
}
