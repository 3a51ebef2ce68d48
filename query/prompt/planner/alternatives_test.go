package planner_test

import (
	"maps"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/analysis"
	"kith/query/prompt"
)

func TestAlternativesCompileAndDifferFromThePlan(t *testing.T) {
	p := newPlanner(t)
	found := 0
	for _, text := range []string{
		"my contacts in Georgia", "who do I know in finance", "people I know at Paris", "my connections in New York",
		"who do I know in data science",
		"friends of friends in design", "who can I reach in music", "marketing people I know",
		"people in my network who know Java", "nurses in Berlin",
	} {
		plan, err := p.Plan(t.Context(), kith.Operator(), text, prompt.Auto)
		expect.NoError(t, err)
		if len(plan.Alternatives) > prompt.MaxAlternatives {
			t.Errorf("%q: %d alternatives", text, len(plan.Alternatives))
		}
		for _, a := range plan.Alternatives {
			found++
			if _, problems := analysis.Compile(a.Filters, today()); len(problems) > 0 || a.Says == "" {
				t.Errorf("%q: %v: %v", text, a, problems)
			}
			if maps.Equal(a.Filters, plan.Values()) && (a.Network == nil) == (plan.Network == nil) && len(plan.Conditions) == 0 {
				t.Errorf("%q: an alternative asks for the same: %v", text, a)
			}
		}
	}
	if found == 0 {
		t.Error("no prompt has an alternative")
	}
}
