package search_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kith/internal/search"
	"kith/query"
	"kith/query/prompt"
)

// planned draws the filters of a plan, as a planner could make them.
func planned() *rapid.Generator[[]prompt.Filter] {
	values := map[query.FilterName][]string{
		query.FilterPosition:    {"engineer", "Engineer, Designer", "-designer", `"software engineer"`},
		query.FilterCompany:     {"Stripe", "Acme, Globex", "-Initech", "Stripe, -Acme"},
		query.FilterPastCompany: {"Siemens", "-Stripe", "+Globex"},
		query.FilterAnyCompany:  {"+Stripe, +Siemens", "Acme"},
		query.FilterCity:        {"Berlin", "-Paris", "Lisbon, Paris"},
		query.FilterCompanySize: {"<300", "100-400", "500+"},
		query.FilterKeywords:    {"heart", "negotiation"},
	}
	names := []query.FilterName{
		query.FilterPosition, query.FilterCompany, query.FilterPastCompany, query.FilterAnyCompany, query.FilterCity,
		query.FilterCompanySize, query.FilterKeywords,
	}
	return rapid.Custom(func(t *rapid.T) []prompt.Filter {
		var filters []prompt.Filter
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 4, rapid.ID).Draw(t, "names") {
			filters = append(filters, filter(name, rapid.SampledFrom(values[name]).Draw(t, "value")))
		}
		return filters
	})
}

// A client drops any of the filters that a prompt was understood as, sends the
// others back, and gets what the prompt without it asks for.
func TestFiltersCanBeDropped(t *testing.T) {
	f := newFixture(t, directory(60)...)
	rapid.Check(t, func(rt *rapid.T) {
		plan := prompt.Plan{Mode: prompt.Simple, Filters: planned().Draw(rt, "plan")}
		about := f.planning(plan).page(t, search.Request{Prompt: "people", Limit: 100, Scope: search.ScopeGlobal}).Metadata.Interpretation
		drop := rapid.IntRange(-1, len(about.Filters)-1).Draw(rt, "drop")
		back := query.Filters{}
		for i, u := range about.Filters {
			if i != drop {
				back[u.Field] = u.Value
			}
		}
		if len(back) == 0 {
			return
		}
		if drop >= 0 {
			plan.Filters = slices.Delete(slices.Clone(plan.Filters), drop, drop+1)
		}
		want := f.planning(plan).page(t, search.Request{Prompt: "people", Limit: 100, Scope: search.ScopeGlobal})
		got := f.page(t, search.Request{Filters: back, Limit: 100, Scope: search.ScopeGlobal})
		if w, g := personIDs(t, want.People), personIDs(t, got.People); !slices.Equal(w, g) {
			rt.Fatalf("%v: got %v, want %v", back, g, w)
		}
	})
}
