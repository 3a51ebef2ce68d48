package analysis_test

import (
	"strings"
	"testing"

	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

type joinCase struct {
	sets      []query.Filters
	condition query.Query
	jobs      string
	want      bool
}

func titled(path query.Path, word string) query.Query {
	return query.Nested{Path: path, Part: query.Term{Field: query.Title, Value: word}}
}

func joinCases() map[string]joinCase {
	promoted := query.Nested{Path: query.Current, Part: query.And{Parts: []query.Query{
		query.Exists{Field: query.FromTitle}, query.Term{Field: query.Title, Value: "manager"},
	}}}
	either := query.Or{Parts: []query.Query{titled(query.Current, "founder"), titled(query.Current, "engineer")}}
	both := query.And{Parts: []query.Query{titled(query.Current, "engineer"), titled(query.Current, "manager")}}
	without := query.Or{Parts: []query.Query{
		query.And{Parts: []query.Query{titled(query.Current, "engineer"), query.Not{Part: titled(query.Current,
			"chef")}}},
	}}
	several := "Engineer @ Y 2010..; Manager @ Y 2012..; Chef @ X 2015.."
	ended := "Engineer @ Y 2010..2011; Chef @ X 2012..2013"
	atX := []query.Filters{{"company": "X"}}
	wasAtX := []query.Filters{{"pastCompany": "X"}}
	return map[string]joinCase{
		"one job": {
			[]query.Filters{{"position": "engineer"}, {"company": "X"}},
			nil, "Engineer @ X 2010..", true,
		},
		"two jobs": {[]query.Filters{{"position": "engineer"}, {"company": "X"}}, nil, several, false},
		"two ended jobs": {
			[]query.Filters{{"pastPosition": "engineer"}, {"pastCompany": "X"}},
			nil, ended,
			false,
		},
		"the same filter": {
			[]query.Filters{{"company": "X, Y"}, {"company": "Y, Z"}},
			nil, "Chef @ X 2010..",
			false,
		},
		"excluded":              {[]query.Filters{{"position": "chef"}, {"company": "-Y"}}, nil, several, false},
		"any of several":        {atX, either, "Founder @ X 2010..", true},
		"any, of another job":   {atX, either, several, false},
		"one, of another job":   {atX, titled(query.Current, "engineer"), several, false},
		"ended, of another job": {wasAtX, titled(query.Past, "engineer"), ended, false},
		"ended, beside current": {
			atX, titled(query.Past, "engineer"), "Engineer @ Y 2010..2011; Chef @ X 2012..",
			true,
		},
		"with an exclusion":      {atX, without, "Engineer @ X 2010..; Chef @ Y 2011..", false},
		"exclusion, another job": {atX, without, "Engineer @ Y 2010..; Manager @ X 2011..", false},
		"several, of other jobs": {atX, both, several, true},
		"promoted":               {[]query.Filters{{"position": "engineer"}}, promoted, several, true},
	}
}

// Joined filters and conditions on a job apply to the same job. Conditions on the order of jobs,
// and conditions on several jobs, stay separate.
func TestJoinedConditionsApplyToOneJob(t *testing.T) {
	for name, c := range joinCases() {
		var sets []analysis.Compiled
		for _, filters := range c.sets {
			set, problems := analysis.Compile(filters, now())
			if problems != nil {
				t.Fatal(problems)
			}
			sets = append(sets, set)
		}
		var conditions []query.Query
		if c.condition != nil {
			conditions = append(conditions, c.condition)
		}
		joined := analysis.Join(sets, conditions...).Query
		if got := indexed.Match(document(t, career(t, strings.Split(c.jobs, "; ")...)), joined); got != c.want {
			t.Errorf("%s: %s matches: %t", name, c.jobs, got)
		}
	}
}
