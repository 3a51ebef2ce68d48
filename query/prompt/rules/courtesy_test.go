package rules_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"kith/query/prompt"
)

// TestCourtesy demands that what is written around a prompt out of courtesy asks for nothing.
func TestCourtesy(t *testing.T) {
	planner := newPlanner(t)
	for _, text := range goldenPrompts(t) {
		if !strings.ContainsFunc(text, unicode.IsLetter) {
			continue
		}
		want := asked(planned(t, planner, text))
		polite := "Hi Anna,\n\n" + strings.TrimRight(text, ".!? ") + ", please. Many thanks,\nTom Hill"
		if got := asked(planned(t, planner, polite)); got != want {
			t.Errorf("%q\n got %s\nwant %s", polite, got, want)
		}
	}
}

// asked is what a plan asks for, without the words that it comes from.
func asked(plan prompt.Plan) string {
	plan.Ignored = nil
	plan.Filters = slices.Clone(plan.Filters)
	for i := range plan.Filters {
		plan.Filters[i].Source = prompt.Source{}
	}
	return plan.String()
}
