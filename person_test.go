package kith_test

import (
	"testing"

	"kith"
)

// A person is shown with the job that the record says is the present one, or else
// with the latest begun of those still held.
func TestPresentJob(t *testing.T) {
	job := func(title, start, end string) kith.Job {
		j := kith.Job{Title: title, Company: kith.Company{Name: "Acme", Keywords: []string{"hidden"}}}
		if start != "" {
			j.StartDate = &start
		}
		if end != "" {
			j.EndDate = &end
		}
		return j
	}
	relevant := job("CTO", "2010", "")
	for name, c := range map[string]struct {
		relevant *kith.Job
		history  []kith.Job
		want     string
	}{
		"none":             {nil, nil, ""},
		"all ended":        {nil, []kith.Job{job("Engineer", "2015", "2020-01")}, ""},
		"the relevant one": {&relevant, []kith.Job{job("Engineer", "2020", "")}, "CTO"},
		"of the history":   {nil, []kith.Job{job("Boss", "2021", "2022"), job("Engineer", "2020-01", "")}, "Engineer"},
		"the latest begun": {nil, []kith.Job{
			job("Engineer", "2020", ""), job("Boss", "2020-03", ""), job("Clerk", "2019-12-31", ""),
		}, "Boss"},
		"a known start":  {nil, []kith.Job{job("Engineer", "", ""), job("Boss", "1990", "")}, "Boss"},
		"no known start": {nil, []kith.Job{job("Engineer", "", ""), job("Boss", "", "")}, "Engineer"},
	} {
		got := ""
		p := kith.Person{WorkRelevant: c.relevant, WorkHistory: c.history}.Result()
		if p.WorkRelevant != nil {
			got = p.WorkRelevant.Title
			if p.WorkRelevant.Company.Keywords != nil {
				t.Errorf("%s: shows keywords", name)
			}
		}
		if got != c.want || p.WorkHistory != nil {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
