package index_test

import (
	"testing"
	"time"

	"kith/index"
	"kith/query"
	"kith/query/analysis"
)

// The query examines the jobs of a person once for all sizes of a filter. One condition for each
// size took seconds for a filter of a hundred.
func TestRangesOfAFilterShareOneJobCondition(t *testing.T) {
	var sizes []query.Query
	for least := int64(1); least < 200; least += 2 {
		sizes = append(sizes, query.Range{Field: query.CompanySize, Min: &least, Max: &least})
	}
	for _, path := range []query.Path{query.Current, query.Past} {
		asked := query.Nested{
			Path: path,
			Part: query.Or{Parts: append(sizes, query.Term{Field: query.Title, Value: "nurse"})},
		}
		if got := lookedAt(index.Prepare(asked)); got != 1 {
			t.Errorf("jobs of %s are examined %d times", path, got)
		}
	}
}

// The same holds for excluded sizes and years.
func TestExcludedRangesShareOneJobCondition(t *testing.T) {
	for value, want := range map[string]int{"-1, -3-5, -20+": 1, "50-100, -70, -80": 2} {
		c, problems := analysis.Compile(query.Filters{query.FilterPastCompanySize: value}, time.Now())
		if problems != nil {
			t.Fatal(problems)
		}
		if got := lookedAt(index.Prepare(c.Query)); got != want {
			t.Errorf("%s: past jobs are examined %d times", value, got)
		}
	}
}

// lookedAt counts the conditions on sub-documents in a query.
func lookedAt(q query.Query) (n int) {
	switch q := q.(type) {
	case query.And:
		for _, p := range q.Parts {
			n += lookedAt(p)
		}
	case query.Or:
		for _, p := range q.Parts {
			n += lookedAt(p)
		}
	case query.Not:
		n = lookedAt(q.Part)
	case query.Nested:
		n = 1
	case query.All, query.None, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range, query.Exists,
		query.IDs, query.Timeline:
	}
	return n
}
