package search_test

import (
	"slices"
	"strings"
	"testing"

	"kith/internal/search"
	"kith/query"
	"kith/query/prompt"
)

// newcomers orders by the first day of the first job, the latest first.
var newcomers = prompt.Criterion{
	// 2015-12-31
	Source: said("newcomers"), Name: "newcomer", Formula: "day of the first job", Field: query.Experience,
	AtLeast: 16800,
}

// A judgement orders people on every engine and across pages, whatever their rank and match. People
// without the number come last.
func TestCriteriaOrderPeople(t *testing.T) {
	plan := prompt.Plan{
		Filters:  []prompt.Filter{filter(query.FilterPersonName, "-Ivy")},
		Criteria: []prompt.Criterion{newcomers},
	}
	want := []int64{12, 7, 2, 8, 9, 14, 1, 3, 4, 13, 10, 16, 5, 6, 15}
	memory := newFixture(t, cast(t)...)
	for name, f := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory),
		"elasticsearch": onElasticsearch(t, memory),
	} {
		f = f.planning(plan)
		for _, limit := range []int{1, 2, 4, 15, 100} {
			req := search.Request{Prompt: "newcomers", Limit: limit, Scope: search.ScopeGlobal}
			if got := f.walk(t, req); !slices.Equal(got, want) {
				t.Errorf("%s, pages of %d:\ngot  %v\nwant %v", name, limit, got, want)
			}
		}
	}
}

func TestCriteriaOverrideExactMatches(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(prompt.Plan{
		Filters:  []prompt.Filter{filter(query.FilterCompany, "Acme, Globex, Initech, Smallco, Umbrella")},
		Criteria: []prompt.Criterion{newcomers},
	})
	p := f.page(t, search.Request{Prompt: "newcomers", Limit: 3})
	if got := personIDs(t, p.People); !slices.Equal(got, []int64{11, 12, 7}) {
		t.Errorf("got %v", got)
	}
	if sql := p.Metadata.GeneratedSQL; strings.Contains(sql, "CASE") ||
		!strings.Contains(sql, "ORDER BY p.experience DESC NULLS LAST, p.id") {
		t.Errorf("sql: %s", sql)
	}
}

func TestCriteriaComeAfterTheScoresOfAList(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(prompt.Plan{Criteria: []prompt.Criterion{newcomers}})
	p := f.page(t, search.Request{
		Prompt: "newcomers", Scope: search.ScopeList,
		List: []search.ListEntry{
			{ID: "1"},
			{ID: "15"},
			{ID: "5", Score: score(1)},
			{ID: "12"},
			{ID: "16", Score: score(1)},
		},
	})
	if got := personIDs(t, p.People); !slices.Equal(got, []int64{16, 5, 12, 1, 15}) {
		t.Errorf("got %v", got)
	}
}

func TestEmptyPlanFindsNoOne(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(prompt.Plan{Ignored: []string{"people"}})
	if p := f.page(t, search.Request{Prompt: "people"}); len(p.People) != 0 {
		t.Errorf("%d people", len(p.People))
	}
}
