package indexer_test

import (
	"context"
	"testing"

	"kith/index"
	"kith/index/memindex"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
	"kith/query"
)

func TestRerankInvalidatesCursors(t *testing.T) {
	s, ix := recordtest.NewStore(), memindex.New()
	recordtest.Load(t, s, record.People, lines(at("Ann", ""), at("Bob", "")))
	ann := s.PersonNamed(t, "Ann").ID
	low := s.State.PersonRows[ann].Rank
	recordtest.Load(t, s, record.People, lines(at("Ann",
		`,"headline":"Chief Technology Officer at Acme","about_me":"I build.",`+
			`"skills":["Go","SQL"],"email":"ann@x.example",`+
			`"work_relevant":{"title":"CTO","company":{"name":"Acme"},"start_date":"2020"}`)))
	d := newDrainer(s, ix)
	expect.NoError(t, d.Drain(t.Context()))
	var last indexer.Progress
	// Cursors issued before the index is in sync must expire.
	follow := func(ctx context.Context) error {
		if n := len(s.State.Outbox); n != 1 || s.Epoch != 2 {
			t.Errorf("%d queued for one change of rank, epoch %d", n, s.Epoch)
		}
		return d.Drain(ctx)
	}
	expect.NoError(t, indexer.NewKeeper(s).Rerank(t.Context(), func(p indexer.Progress) { last = p }, follow))
	if s.State.PersonRows[ann].Rank <= low || s.Epoch != 3 || last.Done != 3 || last.Total != 3 {
		t.Fatalf("rank %d after %d, epoch %d, %+v", s.State.PersonRows[ann].Rank, low, s.Epoch, last)
	}
	hits, err := ix.Find(t.Context(), index.People, index.FindRequest{Query: query.All{}, Limit: 1})
	expect.NoError(t, err)
	if hits[0].ID != ann || hits[0].Sort != s.State.PersonRows[ann].Rank {
		t.Fatalf("got %+v, want Ann with her new rank", hits[0])
	}
}
