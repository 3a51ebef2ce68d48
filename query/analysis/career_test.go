package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

// All conditions must hold for the same job. Filters for current jobs apply to past jobs here, too.
func TestJobConditionsApplyToOneJob(t *testing.T) {
	d := document(t, career(t, "Engineer @ Google 2010-01..2014-12", "Manager @ Meta 2015-01.."))
	for _, tt := range []struct {
		filters query.Filters
		path    query.Path
		want    bool
	}{
		{query.Filters{query.FilterCompany: "Google", query.FilterPosition: "engineer"}, query.Past, true},
		{query.Filters{query.FilterCompany: "Google", query.FilterPosition: "manager"}, query.Past, false},
		{query.Filters{query.FilterCompany: "Google, Meta"}, query.Current, true},
		{query.Filters{query.FilterPosition: "-engineer"}, query.Current, true},
		{query.Filters{query.FilterPosition: "-engineer"}, query.Past, false},
		{query.Filters{query.FilterCompany: "+Google, +Meta"}, query.Past, false}, // no single job is at both
		{query.Filters{query.FilterSeniority: "manager"}, query.Current, true},
		{nil, query.Past, true},
	} {
		q, problems := analysis.JobCondition(tt.filters, now())
		if problems != nil {
			t.Fatal(problems)
		}
		if got := indexed.Match(d, query.Nested{Path: tt.path, Part: q}); got != tt.want {
			t.Errorf("%v of the %s job: %t", tt.filters, tt.path, got)
		}
	}
}

func TestJobConditionReportsEveryProblem(t *testing.T) {
	_, problems := analysis.JobCondition(query.Filters{
		query.FilterCity: "Berlin", query.FilterPosition: "", "nonsense": "x",
	}, now())
	var fields []string
	for _, p := range problems {
		fields = append(fields, p.Field+" "+p.Code)
	}
	slices.Sort(fields)
	want := []string{"filters.city UNKNOWN_FIELD", "filters.nonsense UNKNOWN_FIELD", "filters.position EMPTY_FILTER"}
	if !slices.Equal(fields, want) {
		t.Errorf("got %v, want %v", fields, want)
	}
	many := analysis.InTurn(false, make([]query.Filters, query.MaxSteps+1)...)
	if _, problems := many.Compile(now()); len(problems) != 1 || problems[0].Code != analysis.CodeTooMany {
		t.Errorf("too many steps: %v", problems)
	}
}

// The document for checking careers has the same timeline as the whole document.
func TestCareerDocumentMatchesLikeTheWholeDocument(t *testing.T) {
	p := career(t, "Engineer @ Google 2010..2014-12", "Advisor @ Acme ?..", "Manager @ Meta 2015-01-05..")
	whole := document(t, p)
	part, err := analysis.CareerDocument(p)
	expect.NoError(t, err)
	for _, tl := range []query.Query{
		query.Timeline{Steps: []query.Step{{}, {Spell: query.Spell{Status: query.Held}}}},
		query.Timeline{Every: &query.Spell{Months: query.Months{Min: new(int64(1))}}},
		query.Timeline{Steps: []query.Step{{Spell: query.Spell{
			First: true,
			Where: query.Term{Field: query.Company, Value: "google"},
		}}}},
	} {
		if indexed.Match(whole, tl) != indexed.Match(part, tl) {
			t.Errorf("%s: the career document and the whole document differ", query.String(tl))
		}
	}
	p.WorkHistory[0].StartDate = new("soon")
	if _, err := analysis.CareerDocument(p); err == nil || !strings.Contains(err.Error(),
		"work_history[0].start_date") {
		t.Errorf("an invalid date: %v", err)
	}
}

// Engines use these numbers to exclude people before checking timelines.
func TestCareerNumbersCountEmployersStaysAndGaps(t *testing.T) {
	for _, tt := range []struct {
		jobs                    []string
		employers, longest, gap int64 // -1 if unknown
	}{
		{[]string{"A @ Google 2010-01..2011-12", "B @ Google 2012-01..2012-12", "C @ Meta 2014-03.."}, 2, 36, 15},
		{[]string{"A @ Google 2010..2012", "B @ Meta 2013..2014"}, 2, 25, 1},
		{[]string{"A @ Google ?..2012", "B @ Meta ?.."}, 2, -1, -1},
		{[]string{"A @ Google 2020-01.."}, 1, -1, -1},
		{nil, 0, -1, -1},
	} {
		f := document(t, career(t, tt.jobs...)).Fields
		if got, want := [3]int64{known(f, query.Employers), known(f, query.LongestStay), known(f, query.LongestGap)},
			[3]int64{tt.employers, tt.longest, tt.gap}; got != want {
			t.Errorf("%v: got %v, want %v", tt.jobs, got, want)
		}
	}
}

func known(f indexed.Fields, name query.Field) int64 {
	if v, ok := f.Numbers[name]; ok {
		return v
	}
	return -1
}
