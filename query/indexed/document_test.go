package indexed_test

import (
	"slices"
	"strconv"
	"testing"

	"kith/index"
	"kith/index/indextest"
	"kith/query"
	"kith/query/indexed"
)

func TestFlattenedValuesAreUnique(t *testing.T) {
	for _, jobs := range []int{1, 7, 400} {
		d := indexed.Document{Nested: map[query.Path][]indexed.Fields{}}
		for i := range jobs {
			d.Nested[query.Past] = append(d.Nested[query.Past], indexed.Fields{Keywords: map[query.Field][]string{
				query.CompanyExact: {"both", strconv.Itoa(i), strconv.Itoa(i / 2)},
			}})
		}
		got := slices.Sorted(slices.Values(indexed.Flatten(d).Fields.Keywords[query.CompanyExact.In(query.Past)]))
		if len(got) != jobs+1 || len(slices.Compact(got)) != jobs+1 {
			t.Errorf("%d jobs: %d values, %v", jobs, len(got), got)
		}
	}
}

// Flatten must not change the document: a caller may keep it.
func TestFlattenDoesNotChangeTheDocument(t *testing.T) {
	for _, d := range indextest.Corpus(t, index.People) {
		before := len(d.Fields.Keywords) + len(d.Fields.Words) + len(d.Fields.Numbers)
		indexed.Flatten(d)
		if after := len(d.Fields.Keywords) + len(d.Fields.Words) + len(d.Fields.Numbers); after != before {
			t.Errorf("document %d has %d fields, had %d", d.ID, after, before)
		}
	}
}
