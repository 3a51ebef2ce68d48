package index_test

import (
	"slices"
	"testing"

	"kith/index"
	"kith/internal/test/expect"
	"kith/query"
)

// Callers that drop the buffered results get the same people, in smaller portions.
func TestDropChangesNothing(t *testing.T) {
	ix := filled(t)
	search := index.Search{
		Limit:  1000,
		Stages: []query.Query{query.Exists{Field: query.Email}, query.All{}},
	}
	walk := func(s index.Search, between func()) []index.Cursor {
		var all []index.Cursor
		for f, err := range ix.People(t.Context(), s) {
			expect.NoError(t, err)
			if len(f.Record) == 0 {
				t.Fatalf("person %d has no record", f.ID)
			}
			all = append(all, f.Cursor)
			between()
		}
		return all
	}
	want := walk(search, func() {})
	for _, limit := range []int{1, 3, 4, 5, len(want) - 1, len(want), len(want) + 1} {
		for _, every := range []int{1, 2, 7} {
			prefetch, n := &index.Prefetch{}, 0
			s := search
			s.Prefetch, s.Limit = prefetch, limit
			got := walk(s, func() {
				if n++; n%every == 0 {
					prefetch.Drop()
				}
			})
			if !slices.Equal(got, want[:min(limit, len(want))]) {
				t.Errorf("limit %d, dropped after every %d: %v, want %v", limit, every, got, want)
			}
		}
	}
}
