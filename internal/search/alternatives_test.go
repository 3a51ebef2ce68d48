package search_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kith/internal/search"
	"kith/query"
)

// filterValues are typical values of filters.
func filterValues() map[query.FilterName][]string {
	titles := []string{
		"software engineer", "engineer software", "engineer", "senior software engineer",
		`"software engineer"`, "designer", "account executive", "executive", "Software Engineer", "VP",
	}
	companies := []string{"Stripe", "stripe inc", "Siemens", "Acme", "acme corp", "Globex", "nobody"}
	return map[query.FilterName][]string{
		query.FilterPosition: titles, query.FilterPastPosition: titles, query.FilterAnyPosition: titles,
		query.FilterCompany: companies, query.FilterPastCompany: companies, query.FilterAnyCompany: companies,
		query.FilterCompanySize:  {"<200", "100-300", ">=400", "250", "1-10"},
		query.FilterCity:         {"Berlin", "Paris", "berlin", "Rome"},
		query.FilterCountry:      {"Germany", "DE", "France", "DACH", "Europe", "Peru"},
		query.FilterSkills:       {"Go", "Negotiation", "go negotiation", "negotiation go", `"go negotiation"`},
		query.FilterFieldOfStudy: {"computer science", "science computer", "science", `"science computer"`},
		query.FilterSchool:       {"TU Munich", "Munich TU", "Munich", "MIT"},
		query.FilterKeywords: {
			"engineer heart", "heart engineer", "heart", "stripe engineer", `"at heart"`,
			"berlin",
		}, query.FilterPersonName: {"Pat Number3", "Number3 Pat", "Pat", "number1", "Patricia"},
		query.FilterSeniority: {"senior", "vp", "entry"},
		query.FilterFunction:  {"engineering", "sales", "design"},
	}
}

// some draws a few filters with one value each.
func some(rt *rapid.T) query.Filters {
	values, filters := filterValues(), query.Filters{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(values))), 1, 3,
		rapid.ID).Draw(rt, "filters") {
		filters[name] = rapid.SampledFrom(values[name]).Draw(rt, string(name))
	}
	return filters
}

// found returns the ids of the people that filters find.
func (f *fixture) found(t *testing.T, filters query.Filters) []int64 {
	t.Helper()
	ids := personIDs(t, f.page(t, search.Request{Filters: filters, Scope: search.ScopeGlobal, Limit: 100}).People)
	slices.Sort(ids)
	return ids
}

// Alternatives together find exactly the people that each of them finds, whatever the other filters.
func TestAlternativesAreAUnion(t *testing.T) {
	f := newFixture(t, dataset(24)...)
	rapid.Check(t, func(rt *rapid.T) {
		filters := some(rt)
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(filters))).Draw(rt, "filter")
		alternatives := rapid.SliceOfN(rapid.SampledFrom(filterValues()[name]), 2, 4).Draw(rt, "alternatives")
		var want []int64
		for _, a := range alternatives {
			filters[name] = a
			want = append(want, f.found(t, filters)...)
		}
		slices.Sort(want)
		filters[name] = strings.Join(alternatives, ", ")
		if got := f.found(t, filters); !slices.Equal(got, slices.Compact(want)) {
			rt.Fatalf("%v: got %v, want %v", filters, got, want)
		}
	})
}

// An exclusion removes exactly the people that it finds.
func TestExclusionsAreADifference(t *testing.T) {
	f := newFixture(t, dataset(24)...)
	rapid.Check(t, func(rt *rapid.T) {
		filters := some(rt)
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(filters))).Draw(rt, "filter")
		excluded := rapid.SampledFrom(filterValues()[name]).Draw(rt, "excluded")
		gone := f.found(t, query.Filters{name: excluded})
		want := slices.DeleteFunc(f.found(t, filters), func(id int64) bool { return slices.Contains(gone, id) })
		filters[name] += ", -" + excluded
		if got := f.found(t, filters); !slices.Equal(got, want) {
			rt.Fatalf("%v: got %v, want %v", filters, got, want)
		}
	})
}
