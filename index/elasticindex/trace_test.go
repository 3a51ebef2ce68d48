package elasticindex_test

import (
	"strings"
	"testing"

	"kith/index"
	"kith/index/elasticindex"
	"kith/query"
)

func TestTraceReturnsTheRequests(t *testing.T) {
	d := open(t)
	ctx, sent := elasticindex.Trace(t.Context())
	q := query.Term{Field: query.City, Value: "berlin"}
	if _, err := d.Find(ctx, index.People, index.FindRequest{Query: q, Limit: 3}); err != nil {
		t.Fatal(err)
	}
	if all := sent(); len(all) != 1 || !strings.HasPrefix(all[0], "POST /") || !strings.Contains(all[0], "\n{") ||
		!strings.Contains(all[0], "berlin") {
		t.Errorf("got %q", all)
	}
}
