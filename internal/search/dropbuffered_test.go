package search_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kith/internal/search"
)

// Callers that drop buffered results get the same people and explanations in the same order.
func TestDropBufferedChangesNothing(t *testing.T) {
	f := newFixture(t, dataset(60)...)
	rapid.Check(t, func(rt *rapid.T) {
		req := requests().Draw(rt, "request")
		want := f.page(t, req)
		ctx := t.Context()
		results, err := f.Search(ctx, caller(), req)
		if err != nil {
			rt.Fatal(err)
		}
		results.DropBuffered() // the search has not started
		got := search.Page{People: want.People[:0:0]}
		for event := range results.Events(ctx) {
			switch e := event.(type) {
			case search.Result:
				if e.Index != len(got.People) {
					rt.Errorf("person %d has the index %d", len(got.People), e.Index)
				}
				got.People = append(got.People, e.Person)
			case search.Done:
				got.Metadata, got.Pagination = e.Metadata, e.Pagination
			case search.Failed:
				rt.Fatal(e.Err)
			case search.Started, search.StageEnd, search.Counted:
			}
			if rapid.Bool().Draw(rt, "slow") {
				results.DropBuffered()
			}
		}
		if !reflect.DeepEqual(got.People, want.People) {
			rt.Errorf("%d people, without dropping %d", len(got.People), len(want.People))
		}
		if got.Pagination.HasNextPage != want.Pagination.HasNextPage || got.Pagination.Count != want.Pagination.Count {
			rt.Errorf("pagination %+v, without dropping %+v", got.Pagination, want.Pagination)
		}
		if !reflect.DeepEqual(got.Metadata.List, want.Metadata.List) ||
			!reflect.DeepEqual(got.Metadata.Facets, want.Metadata.Facets) {
			rt.Errorf("metadata %+v, without dropping %+v", got.Metadata, want.Metadata)
		}
	})
}
