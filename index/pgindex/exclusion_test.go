package pgindex

import (
	"strconv"
	"strings"
	"testing"

	"kith/index"
	"kith/mappings"
	"kith/query"
)

// "people who are not engineers" excludes a hundred titles or more. A test of each of 25,000 rows
// took six seconds; an index scan for the excluded people takes almost no time.
func TestManyExclusionsBecomeOneIndexScan(t *testing.T) {
	exclusions := func(f query.Field, n int) query.And {
		var and query.And
		for i := range n {
			and.Parts = append(and.Parts, query.Not{Part: query.Term{Field: f, Value: strconv.Itoa(i)}})
		}
		return and
	}
	title := query.Title.In(query.Current)
	many := exclusions(title, large+1)
	several := query.Not{Part: query.Terms{Field: title, Values: numerals(large + 1)}}
	job := query.Nested{Path: query.Past, Part: query.Phrase{Field: query.Title, Words: []string{"a", "b"}}}
	tiered := &tier{least: 7}
	known := newStatistics(documents(index.People), nil)
	known.rows, known.rest = 25_000, 0.0001
	beyondHashing := known
	beyondHashing.rows = mostHashed + 1
	head := query.Term{Field: title, Value: "head"}
	const worth = costDecideLong / costFetch
	for name, c := range map[string]struct {
		known  statistics
		q      query.Query
		within *tier
		want   string
	}{
		"many terms":       {known, many, nil, "((p.id IN (SELECT p.id FROM people_v1 p WHERE "},
		"one set of them":  {known, several, nil, "((p.id IN (SELECT p.id FROM people_v1 p WHERE "},
		"in a tier":        {known, many, tiered, " AND p.rank >= 7)) IS NOT TRUE)"},
		"few terms":        {known, exclusions(title, large), nil, ""},
		"and a job":        {known, query.And{Parts: append(many.Parts[:large:large], query.Not{Part: job})}, nil, ""},
		"in sub-documents": {known, query.Nested{Path: query.Past, Part: exclusions(query.Title, large+1)}, nil, ""},
		"a title, worth it": {
			known,
			query.And{Parts: append(exclusions(title, worth-1).Parts, head)},
			nil,
			"((p.id IN (SELECT p.id FROM people_v1 p WHERE ",
		},
		"a title, too many": {known, query.And{Parts: append(exclusions(title, worth+1).Parts, head)}, nil, ""},
		"too many people":   {beyondHashing, many, nil, ""},
	} {
		st := c.known.matching(&writer{layout: newLayout("v1", mappings.Fields())}, index.People,
			index.Prepare(c.q), c.within)
		asked := strings.Contains(st.sql, "IN (SELECT p.id")
		if asked != (c.want != "") || !strings.Contains(st.sql, c.want) {
			t.Errorf("%s: %.500s", name, st.sql)
		}
		// A scan of all rows would look for the terms in each row, too.
		if asked && st.scan {
			t.Errorf("%s: all rows are scanned for the terms", name)
		}
	}
}

func numerals(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = strconv.Itoa(i)
	}
	return out
}
