package search_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/search"
	"kith/query"
	"kith/query/indexed"
)

func TestInvalidRequestsAreRefused(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	nan, inf := math.NaN(), math.Inf(1)
	entries := func(n int) []search.ListEntry {
		return slices.Repeat([]search.ListEntry{{ID: "x"}}, n)
	}
	network := func(n search.NetworkFilters) search.Request { return search.Request{Prompt: "x", Network: &n} }
	tests := map[string]struct {
		req    search.Request
		fields []string
	}{
		"nothing":        {search.Request{}, []string{"prompt"}},
		"empty filters":  {search.Request{Filters: query.Filters{}}, []string{"prompt"}},
		"long prompt":    {search.Request{Prompt: strings.Repeat("é", 1001)}, []string{"prompt"}},
		"limit":          {search.Request{Prompt: "x", Limit: 101}, []string{"limit"}},
		"negative limit": {search.Request{Prompt: "x", Limit: -1}, []string{"limit"}},
		"mode":           {search.Request{Prompt: "x", Mode: "fast"}, []string{"mode"}},
		"scope":          {search.Request{Prompt: "x", Scope: "all"}, []string{"scope"}},
		"counts":         {search.Request{Prompt: "x", IncludeCounts: "some"}, []string{"include_counts"}},
		"unknown facet":  {search.Request{Prompt: "x", Facets: []indexed.Facet{"city", "shoe"}}, []string{"facets[1]"}},
		"empty facet":    {search.Request{Prompt: "x", Facets: []indexed.Facet{""}}, []string{"facets[0]"}},
		"facet twice":    {search.Request{Prompt: "x", Facets: []indexed.Facet{"city", "city"}}, []string{"facets[1]"}},
		"six facets":     {search.Request{Prompt: "x", Facets: indexed.Facets()[:6]}, []string{"facets"}},
		"bad filter":     {search.Request{Filters: query.Filters{query.FilterCity: `"open`}}, []string{"filters.city"}},
		"degree": {
			network(search.NetworkFilters{ConnectionDegrees: []int{1, 3, 0}}),
			[]string{"network_filters.connection_degrees[1]", "network_filters.connection_degrees[2]"},
		},
		"types": {network(search.NetworkFilters{
			UserToIntroducerTypes:   []string{"worked_together", "x"},
			IntroducerToTargetTypes: []string{""},
		}), []string{"network_filters.user_to_introducer_types[1]", "network_filters.introducer_to_target_types[0]"}},
		"labels": {network(search.NetworkFilters{
			UserToIntroducerMinScore:   "superb",
			IntroducerToTargetMinScore: "5",
		}), []string{"network_filters.user_to_introducer_min_score", "network_filters.introducer_to_target_min_score"}},
		"introducer": {
			network(search.NetworkFilters{IntroducerSocialIDs: []string{" "}}),
			[]string{"network_filters.introducer_social_ids[0]"},
		},
		"network and global": {search.Request{
			Prompt: "x", Scope: "global", Network: &search.NetworkFilters{ExcludeTeams: true},
		}, []string{"network_filters"}},
		"list scope alone":   {search.Request{Prompt: "x", Scope: "specific_list"}, []string{"specific_list_data"}},
		"list scope only":    {search.Request{Scope: "specific_list"}, []string{"specific_list_data"}},
		"list without scope": {search.Request{List: entries(1)}, []string{"specific_list_data"}},
		"empty list": {
			search.Request{Scope: "specific_list", List: entries(0)},
			[]string{"specific_list_data"},
		},
		"long list": {
			search.Request{Scope: "specific_list", List: entries(50001)},
			[]string{"specific_list_data"},
		},
		"bad entries": {search.Request{Scope: "specific_list", List: []search.ListEntry{
			{ID: "ok"},
			{ID: " "},
			{ID: strings.Repeat("x", 501)},
			{ID: "x", Score: &nan},
			{ID: "", Score: &inf},
		}}, []string{
			"specific_list_data[1].id", "specific_list_data[2].id", "specific_list_data[3].score",
			"specific_list_data[4].id", "specific_list_data[4].score",
		}},
		"everything at once": {
			search.Request{
				Prompt: strings.Repeat("x", 1001), Filters: query.Filters{query.FilterCity: "-"}, Limit: 1000,
				Mode: "x", Scope: "y", IncludeCounts: "z",
			},
			[]string{"prompt", "limit", "mode", "scope", "include_counts", "filters.city"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := f.refusal(t, tt.req)
			var fields []string
			for _, p := range e.Fields {
				fields = append(fields, p.Field)
				if p.Code == "" || p.Message == "" {
					t.Errorf("the problem %+v lacks a code or a message", p)
				}
			}
			if e.Kind != kith.Invalid || !slices.Equal(fields, tt.fields) {
				t.Errorf("got %v, want %v", fields, tt.fields)
			}
		})
	}
}

func TestErrorsNameOnlySomeInvalidEntries(t *testing.T) {
	f := newFixture(t)
	e := f.refusal(t, search.Request{Scope: "specific_list", List: make([]search.ListEntry, 50000)})
	if len(e.Fields) > 30 {
		t.Errorf("the error has %d problems, want at most 30", len(e.Fields))
	}
}

func TestLabelsAreAcceptedInAnySpelling(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	for _, label := range []string{"maybe", "OKAY", "Good", "very good", "Very_Good", " excellent "} {
		f.page(t, search.Request{Prompt: "pat", Network: &search.NetworkFilters{UserToIntroducerMinScore: label}})
	}
}

func TestCursorWithAListIsRefused(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	cursor := f.page(t, search.Request{Prompt: "pat", Limit: 3}).Pagination.Cursor
	e := f.refusal(t, search.Request{Scope: "specific_list", List: []search.ListEntry{{ID: "1"}}, Cursor: cursor})
	if len(e.Fields) != 1 || e.Fields[0].Field != "cursor" {
		t.Errorf("got %+v", e.Fields)
	}
}

func TestPromptOfMaximumLengthIsAccepted(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	for _, prompt := range []string{
		strings.Repeat("é", 1000), strings.Repeat("ß ", 500), strings.Repeat("?", 1000), strings.Repeat("ﷺ ", 500),
	} {
		if p := f.page(t, search.Request{Prompt: prompt}); len(p.People) != 0 {
			t.Errorf("%.10q finds %d people", prompt, len(p.People))
		}
	}
}
