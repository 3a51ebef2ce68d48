package search_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kith"
	"kith/internal/search"
	"kith/query"
	"kith/query/prompt"
)

// planned draws the filters of a plan like a planner.
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

// A client drops one of the filters of a prompt, and sends the others back. The result is that of
// the prompt without the dropped words.
func TestFiltersOfAPromptCanBeDropped(t *testing.T) {
	f := newFixture(t, dataset(60)...)
	rapid.Check(t, func(rt *rapid.T) {
		plan := prompt.Plan{Mode: prompt.Simple, Filters: planned().Draw(rt, "plan")}
		about := f.planning(plan).page(t,
			search.Request{Prompt: "people", Limit: 100, Scope: search.ScopeGlobal}).Metadata.Interpretation
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

// A prompt and filters together find the same people as all filters together.
func TestPromptAndFiltersCombine(t *testing.T) {
	f := newFixture(t, moonlighters()...)
	rapid.Check(t, func(rt *rapid.T) {
		all := planned().Draw(rt, "plan")
		n := rapid.IntRange(1, len(all)).Draw(rt, "of the prompt")
		beside, together := query.Filters{}, query.Filters{}
		for i, filter := range all {
			together[filter.Name] = filter.Value
			if i >= n {
				beside[filter.Name] = filter.Value
			}
		}
		plan := prompt.Plan{Mode: prompt.Simple, Filters: all[:n]}
		got := f.planning(plan).page(t,
			search.Request{Prompt: "people", Filters: beside, Limit: 100, Scope: search.ScopeGlobal})
		want := f.page(t, search.Request{Filters: together, Limit: 100, Scope: search.ScopeGlobal})
		if w, g := personIDs(t, want.People), personIDs(t, got.People); !slices.Equal(w, g) {
			rt.Fatalf("%v: got %v, want %v", together, g, w)
		}
	})
}

// moonlighters are people who also have the current job of another person.
func moonlighters() []kith.Person {
	people := dataset(60)
	for i := range people {
		people[i].WorkHistory = append(people[i].WorkHistory, *people[(i+7)%len(people)].WorkRelevant)
	}
	return people
}
