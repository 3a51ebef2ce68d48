package pgindex

import (
	"testing"

	"kith/query"
)

// A row that lacks a term is not compared with the values of a set: searches for
// former colleagues, whose dates are sets of some 200 buckets, took seconds.
func TestSieveAsksForSetsLast(t *testing.T) {
	w, s := &writer{}, documents("people")
	dates := query.Terms{Field: query.City, Values: []string{"a", "b"}}
	company := query.Term{Field: query.State, Value: "c"}
	either := query.Or{Parts: []query.Query{company, query.Term{Field: query.State, Value: "d"}}}
	got, _ := w.sieve(query.And{Parts: []query.Query{dates, either, company}}, s)
	if want := "((p.terms @> $4) AND (((p.terms @> $2)) OR ((p.terms @> $3))) AND (p.terms && $1))"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
