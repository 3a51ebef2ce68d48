package search_test

import (
	"context"
	"testing"

	"kith/index"
	"kith/index/memindex"
	"kith/internal/record"
	"kith/internal/search"
	"kith/query"
)

// recording counts the fetched records.
type recording struct {
	*memindex.Index
	records int
}

func (e *recording) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	hits, err := e.Index.Find(ctx, c, req)
	for _, h := range hits {
		if h.Record != nil {
			e.records++
		}
	}
	return hits, err
}

// Many people out of reach may come before those within reach. A search must not fetch their records.
func TestOnlyRecordsOfResultsAreFetched(t *testing.T) {
	n := newNeighbourhood(t, 13)
	everyone := query.Filters{"country": "Germany, France, Japan"}
	var u *user
	var near []int64
	for _, u = range n.users {
		all := everyoneOf(t, n.inMemory(t), u, everyone)
		people, size := n.byNearness(u, nil, all)
		if near = people[:size]; size >= 40 && size < len(all)/2 {
			break
		}
	}
	ranks := map[int64]int64{}
	for id := range n.stays {
		ranks[id] = 1
	}
	for _, id := range near {
		ranks[id] = 1000
	}
	if err := n.db.Write(t.Context(), record.ForEveryone(), func(ctx context.Context,
		tx record.Tx,
	) error {
		return tx.SetRanks(ctx, record.People, ranks)
	}); err != nil {
		t.Fatal(err)
	}
	engine := &recording{Index: memindex.New()}
	s := n.on(t, engine)
	s.Sizes(10, 10, 3, 0, 1000)
	req := search.Request{Filters: everyone, Scope: search.ScopeNetwork, Limit: len(near)}
	req.Cursor = n.page(t, s, u, req).Pagination.Cursor
	req.Limit, engine.records = 5, 0
	if page := n.page(t, s, u, req); len(page.People) != 5 || page.Metadata.Source != search.ScopeGlobal ||
		engine.records > 20 {
		t.Errorf("%d people from %s took %d records; %d are within reach", len(page.People), page.Metadata.Source,
			engine.records, len(near))
	}
}
