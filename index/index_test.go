package index_test

import (
	"testing"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

func filled(t *testing.T) *index.Index {
	t.Helper()
	engine := memindex.New()
	var flats []indexed.Flat
	for _, d := range indextest.Corpus(t, index.People) {
		flats = append(flats, indexed.Flatten(d))
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
		"no limit": {index.Search{Stages: all}, kith.Internal},
		"a cursor of another plan": {
			index.Search{Stages: all, Limit: 1, After: &index.Cursor{Stage: 1}},
			kith.Malformed,
		},
		"a cursor before the start": {
			index.Search{Stages: all, Limit: 1, After: &index.Cursor{Stage: -1}},
			kith.Malformed,
		},
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
