package pgindex_test

import (
	"slices"
	"strconv"
	"testing"

	"kith/index"
	"kith/index/indextest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
	"kith/query/indexed"
)

// Many values of a unique field are looked up one by one, alone and beside other conditions.
func TestUniqueValuesAreLookedUpOneByOne(t *testing.T) {
	ix := pgtest.Engine(t, pgtest.Pool(t))
	var docs []indexed.Flat
	var asked []string
	for id := int64(1); id <= 40; id++ {
		d := indexed.Flat{ID: id, Rank: 100 - id, Version: 1, Fields: indextest.NewFields()}
		url := "social.example/in/" + strconv.FormatInt(id, 10)
		d.Fields.Keywords[query.SocialURL] = []string{url}
		d.Fields.Keywords[query.City] = []string{[]string{"berlin", "paris"}[id%2]}
		docs = append(docs, d)
		if id%4 < 2 {
			asked = append(asked, url, url+"/missing", url)
		}
	}
	expect.NoError(t, ix.Write(t.Context(), index.People, []string{activeVersion(t, ix)}, docs, nil))
	these := query.Terms{Field: query.SocialURL, Values: asked}
	berlin := query.Term{Field: query.City, Value: "berlin"}
	for name, c := range map[string]struct {
		q    query.Query
		want func(id int64) bool
	}{
		"alone":      {these, func(id int64) bool { return id%4 < 2 }},
		"and a city": {query.And{Parts: []query.Query{these, berlin}}, func(id int64) bool { return id%4 == 0 }},
		"or a city":  {query.Or{Parts: []query.Query{these, berlin}}, func(id int64) bool { return id%4 < 3 }},
		"or an identifier": {
			query.Or{Parts: []query.Query{these, query.IDs{Values: []int64{2}}}},
			func(id int64) bool { return id%4 < 2 || id == 2 },
		},
		"a city and not": {
			query.And{Parts: []query.Query{berlin, query.Not{Part: these}}},
			func(id int64) bool { return id%4 == 2 },
		},
		"none of a document": {
			query.Terms{Field: query.SocialURL, Values: slices.Repeat([]string{"x", "y", "z"}, 4)},
			func(int64) bool { return false },
		},
	} {
		t.Run(name, func(t *testing.T) {
			hits, err := ix.Find(t.Context(), index.People, index.FindRequest{Query: c.q, Limit: 100})
			var want, got []int64
			for id := range int64(40) {
				if c.want(id + 1) {
					want = append(want, id+1)
				}
			}
			for _, h := range hits {
				got = append(got, h.ID)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("found %v, %v, want %v", got, err, want)
			}
			if n, err := ix.Count(t.Context(), index.People, c.q, 0); err != nil || n != len(want) {
				t.Errorf("counted %d, %v, want %d", n, err, len(want))
			}
		})
	}
}
