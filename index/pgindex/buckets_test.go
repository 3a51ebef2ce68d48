package pgindex

import (
	"strings"
	"testing"

	"kith/index"
	"kith/mappings"
	"kith/query"
)

func atLeast(f query.Field, n int64) query.Range { return query.Range{Field: f, Min: &n} }

func atMost(f query.Field, n int64) query.Range { return query.Range{Field: f, Max: &n} }

func sizes(path query.Path, buckets ...string) query.Query {
	return query.Terms{Field: query.CompanySize.In(path), Values: buckets}
}

// A prefilter may be omitted beside a range only if it holds wherever the range does.
func TestRedundantPrefilters(t *testing.T) {
	past := func(q query.Query) query.Query { return query.Nested{Path: query.Past, Part: q} }
	all := func(parts ...query.Query) query.Query { return query.And{Parts: parts} }
	either := func(parts ...query.Query) query.Query { return query.Or{Parts: parts} }
	small, city := atMost(query.CompanySize, 3), query.Term{Field: query.City, Value: "leeds"}
	prefilter := sizes(query.Past, "b0", "b1", "b2")
	for name, c := range map[string]struct {
		prefilter, beside query.Query
		want              bool
	}{
		"the buckets of the range": {prefilter, past(small), true},
		"more buckets":             {sizes(query.Past, "b0", "b1", "b2", "b9"), past(small), true},
		"fewer buckets":            {sizes(query.Past, "b0", "b1"), past(small), false},
		"one bucket": {
			query.Term{Field: query.CompanySize.In(query.Past), Value: "b1"},
			past(query.Range{Field: query.CompanySize, Min: new(int64(1)), Max: new(int64(1))}), true,
		},
		"of other jobs": {sizes(query.Current, "b0", "b1", "b2"), past(small), false},
		"of another number": {query.Terms{
			Field:  query.Tenure.In(query.Past),
			Values: []string{"b0", "b1", "b2"},
		}, past(small), false},
		"with a title beside":  {prefilter, past(all(query.Term{Field: query.Title, Value: "nurse"}, small)), true},
		"of each alternative":  {prefilter, either(past(small), past(atMost(query.CompanySize, 1))), true},
		"of one alternative":   {prefilter, either(past(small), city), false},
		"of an excluded range": {prefilter, query.Not{Part: past(small)}, false},
		"of no alternative":    {prefilter, query.Or{}, false},
		"some number, beside a range": {
			query.Exists{Field: query.CompanySize.In(query.Past)},
			past(atLeast(query.CompanySize, 1)), true,
		},
		"some number or buckets": {
			either(prefilter, query.Exists{Field: query.CompanySize.In(query.Past)}),
			past(query.Range{Field: query.CompanySize}), true,
		},
		"buckets, beside some number": {prefilter, past(query.Range{Field: query.CompanySize}), false},
		"buckets of two numbers":      {either(prefilter, sizes(query.Current, "b0")), past(small), false},
		"the number of the document": {
			sizes(query.Current, "b0", "b1", "b2"),
			atMost(query.CompanySize.In(query.Current), 3), true,
		},
		"a term that is no bucket": {city, past(small), false},
		"words of a field of sub-documents": {
			query.Term{Field: query.Title.In(query.Past), Value: "b1"},
			past(small),
			false,
		},
		"alternatives that are not of terms": {either(prefilter, past(small)), past(small), false},
	} {
		if got := isRedundant(c.prefilter, []query.Query{city, c.beside}); got != c.want {
			t.Errorf("%s: redundant: %v", name, got)
		}
	}
}

// The buckets of a range are for the index. To look for them among the terms of each row took many
// times as long as to examine its jobs.
func TestRowsAreNotTestedForBuckets(t *testing.T) {
	anyJob := query.Or{}
	for _, path := range []query.Path{query.Current, query.Past} {
		anyJob.Parts = append(anyJob.Parts, query.Nested{Path: path, Part: atMost(query.CompanySize, 6558)})
	}
	known := newStatistics(documents(index.People), nil)
	for name, q := range map[string]query.Query{
		"any job": anyJob,
		"no job":  query.Not{Part: anyJob},
		"the past": query.And{Parts: []query.Query{
			anyJob.Parts[1],
			query.Not{Part: query.Nested{Path: query.Past, Part: atMost(query.CompanySize, 3)}},
		}},
		"some founded": query.Nested{
			Path: query.Current,
			Part: query.Or{Parts: []query.Query{atMost(query.CompanyFounded, 1999), atLeast(query.CompanyFounded,
				2010)}},
		},
	} {
		st := known.matching(&writer{layout: newLayout("v1", mappings.Fields())}, index.People,
			index.Prepare(q), nil)
		_, row, _ := strings.Cut(st.sql, "OFFSET 0) p WHERE ")
		if row == "" {
			_, row, _ = strings.Cut(st.sql, " WHERE ")
		}
		if strings.Contains(row, "p.terms &&") || !strings.Contains(row, "people_nested_v1") {
			t.Errorf("%s: each row is tested for %s", name, row)
		}
	}
	st := known.matching(&writer{layout: newLayout("v1", mappings.Fields())}, index.People,
		index.Prepare(anyJob), nil)
	if !strings.Contains(st.sql, " WHERE ((p.terms && $1)) OFFSET 0)") {
		t.Errorf("the index condition has more than the buckets: %s", st.sql)
	}
}
