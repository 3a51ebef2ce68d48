package rules_test

import (
	"strings"
	"testing"
	"time"

	"kith"
	"kith/index/analysis"
	"kith/index/memindex"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/rules"
)

// TestHeldIn asks who was at a company at some time, of people who were there
// from one day to another, or are there still.
func TestHeldIn(t *testing.T) {
	stays := map[string][2]string{
		"early": {"2010-03", "2014-06"}, "middle": {"2015-01", "2018-12"}, "late": {"2019-05", ""}, "all": {"2009", ""}, "elsewhere": {},
	}
	planner := rules.New(prompttest.Lexicon(), prompttest.Of(nil)).At(today)
	for text, want := range map[string]string{
		"worked at Google before 2015":            "all early",
		"worked at Google before 2015, designers": "",
		"worked at Google between 2014 and 2016":  "all early middle",
		"worked at Google in 2018":                "all middle",
		"worked at Google after 2018":             "all late",
		"people at Google in 2012":                "all early",
		"ex-Google people who were there in 2012": "early",
		"worked at Google or Apple after 2018":    "all elsewhere late",
	} {
		plan, err := planner.Plan(t.Context(), text, prompt.Auto)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, name := range []string{"all", "early", "elsewhere", "late", "middle"} {
			company, stay := "Google", stays[name]
			if name == "elsewhere" {
				company, stay = "Apple", [2]string{"2000", ""}
			}
			job := kith.Job{Title: "Engineer", Company: kith.Company{Name: company}, StartDate: &stay[0]}
			if stay[1] != "" {
				job.EndDate = &stay[1]
			}
			if satisfies(t, plan, kith.Person{FullName: "Ann Lee", WorkHistory: []kith.Job{job}}) {
				found = append(found, name)
			}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q finds %q, want %q:\n%s", text, got, want, plan)
		}
	}
}

// satisfies reports whether a person satisfies the filters and conditions of a
// plan.
func satisfies(t *testing.T, plan prompt.Plan, p kith.Person) bool {
	t.Helper()
	filters := query.Filters{}
	for _, f := range plan.Filters {
		filters[f.Name] = f.Value
	}
	compiled, problems := analysis.Compile(filters, today())
	if len(problems) > 0 {
		t.Fatalf("%s: %v", plan, problems)
	}
	doc, err := analysis.Person(p, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	all := []query.Query{compiled.Query}
	for _, c := range plan.Conditions {
		all = append(all, c.Query)
	}
	return len(all)+len(filters) > 1 && memindex.Match(doc, query.And{Parts: all})
}

// TestPromotedFrom wants the one job to follow the other at the same company.
func TestPromotedFrom(t *testing.T) {
	job := func(title, company, from, to string) kith.Job {
		j := kith.Job{Title: title, Company: kith.Company{Name: company}, StartDate: &from}
		if to != "" {
			j.EndDate = &to
		}
		return j
	}
	people := map[string][]kith.Job{
		"promoted":  {job("Engineering Manager", "Google", "2020-01", ""), job("Software Engineer", "Google", "2016-01", "2020-01")},
		"elsewhere": {job("Engineering Manager", "Google", "2020-01", ""), job("Software Engineer", "Meta", "2016-01", "2020-01")},
		"designer":  {job("Engineering Manager", "Google", "2020-01", ""), job("Product Designer", "Google", "2016-01", "2020-01")},
		"demoted":   {job("Software Engineer", "Google", "2020-01", ""), job("Engineering Manager", "Google", "2016-01", "2020-01")},
	}
	planner := rules.New(prompttest.Lexicon(), prompttest.Of(nil)).At(today)
	plan, err := planner.Plan(t.Context(), "people promoted from engineer to engineering manager", prompt.Auto)
	if err != nil {
		t.Fatal(err)
	}
	for name, jobs := range people {
		if got := satisfies(t, plan, kith.Person{FullName: "Ann Lee", WorkHistory: jobs}); got != (name == "promoted") {
			t.Errorf("%s: %t\n%s", name, got, plan)
		}
	}
}

// TestMonthsAgo asks who came in the last three months on a day that the month
// three months before does not have.
func TestMonthsAgo(t *testing.T) {
	planner := rules.New(prompttest.Lexicon(), prompttest.Of(nil)).At(func() time.Time { return time.Date(2026, time.May, 31, 12, 0, 0, 0, time.UTC) })
	plan, err := planner.Plan(t.Context(), "joined in the last 3 months", prompt.Auto)
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string]bool{"2026-02-27": false, "2026-02-28": true, "2026-03-01": true} {
		job := kith.Job{Title: "Engineer", Company: kith.Company{Name: "Acme"}, StartDate: &day}
		if got := satisfies(t, plan, kith.Person{FullName: "Ann Lee", WorkHistory: []kith.Job{job}}); got != want {
			t.Errorf("began %s: found %t, want %t\n%s", day, got, want, plan)
		}
	}
}
