package query_test

import (
	"testing"

	"kith/query"
)

// Each word counts as one, the values of a field together as one, and a condition on jobs three times.
func TestClausesCountWordsFieldsAndJobs(t *testing.T) {
	words := query.AllWords{Field: query.Title, Words: []string{"a", "b"}}
	for _, c := range []struct {
		q    query.Query
		want int
	}{
		{query.Terms{Field: query.City, Values: []string{"a", "b", "c"}}, 1},
		{query.Phrase{Field: query.Title, Words: []string{"a", "b"}}, 1},
		{query.Phrase{Field: query.Title, Words: []string{"a", "b"}, AnyOrder: true}, 2},
		{words, 2},
		{query.Not{Part: query.Or{Parts: []query.Query{words, query.All{}}}}, 3},
		{query.And{Parts: []query.Query{query.Nested{Path: query.Past, Part: words}, words}}, 8},
	} {
		if got := query.Clauses(c.q); got != c.want {
			t.Errorf("%s: %d, want %d", query.String(c.q), got, c.want)
		}
	}
}
