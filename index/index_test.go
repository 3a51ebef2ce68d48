package index_test

import (
	"slices"
	"strconv"
	"testing"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/expect"
	"kith/query"
)

func filled(t *testing.T) *index.Index {
	t.Helper()
	engine := memindex.New()
	var flats []index.Flat
	for _, d := range indextest.Corpus(t, index.People) {
		flats = append(flats, index.Flatten(d))
	}
	expect.NoError(t, engine.Write(t.Context(), index.People, []string{"v1"}, flats, nil))
	return index.New(engine)
}

func TestPeopleRefusesUnfinishedSearches(t *testing.T) {
	ix, all := filled(t), []query.Query{query.All{}}
	for name, c := range map[string]struct {
		search index.Search
		kind   kith.Kind
	}{
		"no limit":                  {index.Search{Stages: all}, kith.Internal},
		"a cursor of another plan":  {index.Search{Stages: all, Limit: 1, After: &index.Cursor{Stage: 1}}, kith.Malformed},
		"a cursor before the start": {index.Search{Stages: all, Limit: 1, After: &index.Cursor{Stage: -1}}, kith.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			var got []error
			for _, err := range ix.People(t.Context(), c.search) {
				got = append(got, err)
			}
			if len(got) != 1 || got[0] == nil || kith.KindOf(got[0]) != c.kind {
				t.Errorf("got %v, want one error, of kind %d", got, c.kind)
			}
		})
	}
}

func TestPeopleStopsWhenTheCallerBreaks(t *testing.T) {
	n := 0
	for _, err := range filled(t).People(t.Context(), index.Search{
		Stages: []query.Query{query.All{}}, Limit: 10,
	}) {
		expect.NoError(t, err)
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d people after a break at 3", n)
	}
}

// Each value appears once under its flattened name, however many jobs have it.
func TestFlattenedValuesAreUnique(t *testing.T) {
	for _, jobs := range []int{1, 7, 400} {
		d := index.Document{Nested: map[query.Path][]index.Fields{}}
		for i := range jobs {
			d.Nested[query.Past] = append(d.Nested[query.Past], index.Fields{Keywords: map[query.Field][]string{
				query.CompanyExact: {"both", strconv.Itoa(i), strconv.Itoa(i / 2)},
			}})
		}
		got := slices.Sorted(slices.Values(index.Flatten(d).Fields.Keywords[query.CompanyExact.In(query.Past)]))
		if len(got) != jobs+1 || len(slices.Compact(got)) != jobs+1 {
			t.Errorf("%d jobs: %d values, %v", jobs, len(got), got)
		}
	}
}

// Flatten must not change the document: a caller may keep it.
func TestFlattenDoesNotChangeTheDocument(t *testing.T) {
	for _, d := range indextest.Corpus(t, index.People) {
		before := len(d.Fields.Keywords) + len(d.Fields.Words) + len(d.Fields.Numbers)
		index.Flatten(d)
		if after := len(d.Fields.Keywords) + len(d.Fields.Words) + len(d.Fields.Numbers); after != before {
			t.Errorf("document %d has %d fields, had %d", d.ID, after, before)
		}
	}
}
