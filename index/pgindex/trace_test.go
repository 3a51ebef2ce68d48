package pgindex_test

import (
	"strings"
	"testing"

	"kith/index"
	"kith/index/pgindex"
	"kith/internal/test/pgtest"
	"kith/query"
)

func TestTraceReturnsStatementsWithTheirValues(t *testing.T) {
	ix := pgtest.Engine(t, pgtest.Pool(t))
	ctx, sent := pgindex.Trace(t.Context())
	q := query.And{Parts: []query.Query{
		query.Terms{Field: query.City, Values: []string{"berlin", "o'neil"}},
		query.IDs{Values: []int64{7, -1}},
		query.Phrase{Field: query.Text, Words: []string{"a", "b"}},
		query.Range{Field: query.Experience, Max: new(int64(5))},
	}}
	if _, err := ix.Find(ctx, index.People, index.FindRequest{Query: q, Limit: 3}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(sent(), "\n")
	for _, want := range []string{"SELECT p.id", "'city:o''neil'", "ARRAY[7, -1]", "= 5"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
}
