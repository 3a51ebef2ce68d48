package analysis_test

import (
	"strings"
	"testing"

	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

func TestEachRequiredValueIsAPart(t *testing.T) {
	c, problems := analysis.Compile(query.Filters{"company": "Meta, +Google, -Shell"}, now())
	if problems != nil {
		t.Fatal(problems)
	}
	var got []string
	for _, p := range c.Parts {
		got = append(got, p.Value)
	}
	if want := "Meta|+Google|-Shell"; strings.Join(got, "|") != want {
		t.Errorf("parts %q, want %q", got, want)
	}
}

func TestExactTierKeepsRequiredValues(t *testing.T) {
	c, problems := analysis.Compile(query.Filters{"anyPosition": "+engineer"}, now())
	if problems != nil {
		t.Fatal(problems)
	}
	for jobs, want := range map[string]bool{"Engineer @ X 2010..": true, "Senior Engineer @ X 2010..": false} {
		if got := indexed.Match(document(t, career(t, jobs)), c.Exact); got != want {
			t.Errorf("%s is exact: %t", jobs, got)
		}
	}
}
