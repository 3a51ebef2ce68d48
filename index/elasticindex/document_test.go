package elasticindex_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"kith/index/elasticindex"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

// Flattened fields become members of objects. A single value is no array, and empty fields are omitted.
func TestSourceNestsFieldsAndOmitsEmptyOnes(t *testing.T) {
	whole := indexed.Flatten(indexed.Document{
		ID: 7, Rank: 3, Version: 1, Record: []byte(`{"a":"\"é"}`),
		Fields: indexed.Fields{
			Keywords: map[query.Field][]string{query.City: {"rome"}, query.Region: {"eu", "g7"}, query.State: {}},
			Words: map[query.Field][][]string{
				query.Name: {{"ann", "li"}}, query.Skill: {{}, {"go"}, {"sql"}}, query.Text: {{}},
			},
			Numbers: map[query.Field]int64{query.Rank: 3, query.Employers: 2},
		},
		Nested: map[query.Path][]indexed.Fields{
			query.Past: {
				{
					Words:   map[query.Field][][]string{query.Title: {{"chief", "cook"}}},
					Numbers: map[query.Field]int64{query.Stay: 1},
				},
				{Keywords: map[query.Field][]string{query.CompanyID: {"5"}}},
				{},
			},
			query.Current: {{Numbers: map[query.Field]int64{query.CompanySize: 9}}},
		},
		Facets: map[indexed.Facet]string{indexed.FacetCity: "Rome"},
	})
	for _, c := range []struct {
		name string
		doc  indexed.Flat
		want string
	}{
		{"empty", indexed.Flat{ID: 1}, `{"id":1,"rank":0}`},
		{"whole", whole, `{"id":7,"rank":3,"city":"rome","region":["eu","g7"],"name":"ann li","skill":["go","sql"],
"employers":2,"current":{"companySize":9,"companySizeBucket":"b4"},
"past":{"title":"chief cook","companyId":"5","stayBucket":"b1"},
"past_jobs":[{"title":"chief cook","stay":1},{"companyId":"5"},{}],
"facet":{"city":"Rome"},"record":"{\"a\":\"\\\"é\"}"}`},
	} {
		var got, want any
		source := elasticindex.Source(c.doc)
		if err := json.Unmarshal(source, &got); err != nil {
			t.Fatalf("%s: %v: %s", c.name, err, source)
		}
		expect.NoError(t, json.Unmarshal([]byte(c.want), &want))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%s, want\n%s", c.name, source, c.want)
		}
	}
}
