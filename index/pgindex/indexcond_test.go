package pgindex

import (
	"slices"
	"strconv"
	"testing"

	"kith/query"
)

// Conditions on single terms come before sets, so that few rows are compared with the sets.
// Searches for former colleagues, whose dates are sets of some 200 buckets, took seconds.
func TestIndexConditionTestsSetsLast(t *testing.T) {
	w, s := &writer{}, documents("people")
	dates := query.Terms{Field: query.City, Values: []string{"a", "b", "c"}}
	company := query.Term{Field: query.State, Value: "c"}
	either := query.Or{Parts: []query.Query{company, query.Term{Field: query.State, Value: "d"}}}
	words := query.Or{Parts: []query.Query{query.AllWords{Field: query.Text, Words: []string{"e", "f"}}, either}}
	got, _ := w.indexCondition(query.And{Parts: []query.Query{dates, either, words, company}}, s)
	const want = "((p.terms @> $5) AND (((p.terms @> $3)) OR (p.terms && $4)) AND (p.terms && $2) AND (p.terms && $1))"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// For alternatives with a company and dates, the index condition has only the companies. It also
// has sets of words, and the dates if there is nothing else.
func TestIndexConditionOfAlternativesOmitsDates(t *testing.T) {
	many := func(f query.Field) query.Terms {
		set := query.Terms{Field: f}
		for i := range large + 1 {
			set.Values = append(set.Values, strconv.Itoa(i))
		}
		return set
	}
	dates, words := many(query.Start.In(query.Past)), many(query.Title.In(query.Past))
	company := query.Term{Field: query.CompanyID.In(query.Past), Value: "7"}
	for name, c := range map[string]struct {
		parts []query.Query
		want  string
		exact bool
	}{
		"a company and dates": {[]query.Query{company, dates}, "(p.terms && $1)", false},
		"a company and words": {[]query.Query{company, words}, "(((p.terms @> $2) AND (p.terms && $1)))", true},
		"dates alone":         {[]query.Query{dates}, "(p.terms && $1)", true},
	} {
		parts := slices.Clone(c.parts)
		got, exact := (&writer{}).indexCondition(query.Or{Parts: []query.Query{query.And{Parts: parts}}},
			documents("people"))
		if got != c.want || exact != c.exact {
			t.Errorf("%s: %s, %v; want %s, %v", name, got, exact, c.want, c.exact)
		}
		if !slices.EqualFunc(parts, c.parts, query.Equal) {
			t.Errorf("%s: the query was changed", name)
		}
	}
}
