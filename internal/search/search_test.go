package search_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

func personIDs(t testing.TB, people []json.RawMessage) []int64 {
	t.Helper()
	ids := []int64{}
	for _, raw := range people {
		var p struct{ ID int64 }
		expect.NoError(t, json.Unmarshal(raw, &p))
		ids = append(ids, p.ID)
	}
	return ids
}

var berliners = query.Filters{query.FilterCity: "Berlin"}

func TestFirstPageHasMetadata(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	p := f.page(t, search.Request{RequestID: "req_1", Filters: berliners, Limit: 4})
	if got := personIDs(t, p.People); !slices.Equal(got, []int64{1, 4, 7, 10}) {
		t.Errorf("people: %v", got)
	}
	if p.Pagination.Count != 4 || !p.Pagination.HasNextPage || p.Pagination.Cursor == "" {
		t.Errorf("pagination: %+v", p.Pagination)
	}
	m := p.Metadata
	if m.RequestID != "req_1" || m.Mode != search.Simple || m.Source != "global" || !m.NetworkStageComplete ||
		m.SearchEngine != "memory" {
		t.Errorf("metadata: %+v", m)
	}
	if !strings.HasPrefix(m.GeneratedSQL, "SELECT") || !strings.Contains(m.GeneratedSQL, "LIMIT 4") {
		t.Errorf("sql: %s", m.GeneratedSQL)
	}
}

// The limits make no difference, and the last page has has_next_page false and no cursor.
func TestWalkSeesEveryoneOnce(t *testing.T) {
	f := newFixture(t, dataset(100)...)
	for _, req := range []search.Request{
		{Filters: berliners},
		{Filters: query.Filters{query.FilterPosition: "software engineer"}, Scope: search.ScopeGlobal},
		{Prompt: "engineers who are at Stripe"},
		{Prompt: "software engineer", Filters: berliners, Mode: search.Lookup},
	} {
		whole := f.page(t, withLimit(req, 100))
		want := personIDs(t, whole.People)
		for _, limit := range []int{1, 3, len(want), 100} {
			if got := f.walk(t, withLimit(req, max(limit, 1))); !slices.Equal(got, want) {
				t.Errorf("limit %d: got %v, want %v", limit, got, want)
			}
		}
	}
}

func withLimit(req search.Request, limit int) search.Request {
	req.Limit = limit
	return req
}

func (f *fixture) walk(t *testing.T, req search.Request) []int64 {
	t.Helper()
	all := []int64{}
	for {
		p := f.page(t, req)
		all = append(all, personIDs(t, p.People)...)
		if p.Pagination.Count != len(p.People) || p.Pagination.HasNextPage != (p.Pagination.Cursor != "") {
			t.Fatalf("pagination: %+v of %d people", p.Pagination, len(p.People))
		}
		if !p.Pagination.HasNextPage {
			return all
		}
		req = search.Request{Cursor: p.Pagination.Cursor}
	}
}

func TestExactBeforeClose(t *testing.T) {
	f := newFixture(t, dataset(40)...)
	p := f.page(t, search.Request{Filters: query.Filters{query.FilterPosition: "Software Engineer"}, Limit: 100})
	ids := personIDs(t, p.People)
	exact := func(id int64) bool { return f.people[id].WorkRelevant.Title == "Software Engineer" }
	firstClose := slices.IndexFunc(ids, func(id int64) bool { return !exact(id) })
	if firstClose != 10 || slices.ContainsFunc(ids[firstClose:], exact) {
		t.Errorf("order: %v", ids)
	}
}

func TestOrderOfEvents(t *testing.T) {
	f := newFixture(t, dataset(10)...)
	all := query.Filters{query.FilterPersonName: "pat"}
	tests := map[string]struct {
		req  search.Request
		want []string
	}{
		"global": {search.Request{Filters: all, Scope: "global"}, []string{
			"metadata", "result", "stage",
			"done",
		}},
		"network": {search.Request{Filters: all}, []string{"metadata", "stage", "result", "stage", "done"}},
		"more to come": {search.Request{Filters: all, Scope: "global", Limit: 3}, []string{
			"metadata", "result",
			"done",
		}},
		"no one": {search.Request{Prompt: "xyzzy", Scope: "global"}, []string{"metadata", "stage", "done"}},
		"network only": {
			search.Request{Filters: all, Network: &search.NetworkFilters{ExcludeTeams: true}},
			[]string{"metadata", "stage", "done"},
		},
		"list": {
			search.Request{Scope: "specific_list", List: []search.ListEntry{{ID: "1"}}},
			[]string{"metadata", "result", "stage", "done"},
		},
		"list of nobody": {
			search.Request{Scope: "specific_list", List: []search.ListEntry{{ID: "nobody"}}},
			[]string{"metadata", "stage", "done"},
		},
		"counts of noone": {
			search.Request{Prompt: "xyzzy", Scope: "global", IncludeCounts: "all"},
			[]string{"metadata", "stage", "counts", "done"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			events := f.events(t, tt.req)
			if got := kinds(events); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if done := events[len(events)-1].(search.Done); !done.Complete {
				t.Error("not complete")
			}
		})
	}
}

func TestStagesCountTheWholeWalk(t *testing.T) {
	f := newFixture(t, dataset(10)...)
	first := f.page(t, search.Request{Filters: query.Filters{query.FilterPersonName: "pat"}, Limit: 6})
	for _, e := range f.events(t, search.Request{Cursor: first.Pagination.Cursor}) {
		switch e := e.(type) {
		case search.StageEnd:
			if e != (search.StageEnd{Stage: "global", Complete: true, Results: 10}) {
				t.Errorf("got %+v", e)
			}
		case search.Result:
			if e.Index < 6 {
				t.Errorf("the first result of the second page has the index %d", e.Index)
			}
		case search.Started, search.Counted, search.Failed, search.Done:
		}
	}
}

func TestRequestsGetTheirModeAndSource(t *testing.T) {
	f := newFixture(t, dataset(10)...)
	tests := []struct {
		req    search.Request
		mode   search.Mode
		source string
		people int
	}{
		{search.Request{Prompt: "pat"}, search.Simple, "global", 10},
		{search.Request{Prompt: "pat", Mode: search.Auto}, search.Simple, "global", 10},
		{search.Request{Prompt: "pat", Mode: search.Lookup}, search.Lookup, "global", 10},
		{search.Request{Prompt: "pat", Mode: search.Complex}, search.Simple, "global", 10},
		{search.Request{Prompt: "https://social.example/in/pat-3"}, search.Lookup, "global", 1},
		{search.Request{Prompt: "pat3@example.com"}, search.Lookup, "global", 1},
		{search.Request{Filters: query.Filters{query.FilterSocialID: "pat-3"}}, search.Lookup, "global", 1},
		{search.Request{Filters: query.Filters{query.FilterSocialID: "-pat-3"}}, search.Simple, "global", 9},
		{search.Request{Filters: query.Filters{query.FilterSocialID: "pat-3, pat-4"}}, search.Simple, "global", 2},
		{search.Request{Filters: query.Filters{query.FilterPersonName: "Pat Number3"}}, search.Lookup, "global", 1},
		{
			search.Request{Filters: query.Filters{query.FilterPersonName: "Pat Number3, -Jane"}},
			search.Lookup, "global",
			1,
		},
		{search.Request{Filters: query.Filters{query.FilterPersonName: "Pat"}}, search.Simple, "global", 10},
		{search.Request{Filters: query.Filters{query.FilterPersonName: "-Jane"}}, search.Simple, "global", 10},
		{search.Request{Filters: berliners, Mode: search.Complex}, search.Simple, "global", 4},
		{
			search.Request{Prompt: "pat", Network: &search.NetworkFilters{UserToIntroducerMinScore: "Very good"}},
			search.Simple,
			"network", 0,
		},
		{
			search.Request{
				Prompt: "pat", Mode: search.Lookup,
				Network: &search.NetworkFilters{ConnectionDegrees: []int{1}},
			},
			search.Lookup, "network", 0,
		},
		{search.Request{Prompt: "pat", Network: &search.NetworkFilters{}}, search.Simple, "global", 10},
		{search.Request{Prompt: "?!"}, search.Simple, "global", 0},
	}
	for _, tt := range tests {
		p := f.page(t, tt.req)
		if p.Metadata.Mode != tt.mode || p.Metadata.Source != tt.source || len(p.People) != tt.people {
			t.Errorf("%+v: mode %s, source %s, %d people", tt.req, p.Metadata.Mode, p.Metadata.Source, len(p.People))
		}
	}
}

func TestFiltersOfAPromptFindTheSamePeople(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	for _, text := range []string{
		"find engineers at Stripe", `"software engineer", -Berlin`,
		"https://social.example/in/pat-3", "pat3@example.com",
	} {
		p := f.page(t, search.Request{Prompt: text, Scope: "global"})
		back := query.Filters{}
		for _, u := range p.Metadata.Interpretation.Filters {
			back[u.Field] = u.Value
		}
		again := f.page(t, search.Request{Filters: back, Scope: "global"})
		if !slices.Equal(personIDs(t, p.People), personIDs(t, again.People)) {
			t.Errorf("%q: found %v, its filters %v", text, personIDs(t, p.People), back)
		}
	}
}

func TestInterpretationNamesTheFilters(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	p := f.page(t, search.Request{Filters: query.Filters{query.FilterCity: "-Paris", query.FilterPersonName: "pat"}})
	text, err := json.Marshal(p.Metadata.Interpretation)
	expect.NoError(t, err)
	want := `{"filters":[{"field":"name","value":"pat","text":"","span":null,"excluded":false},` +
		`{"field":"city","value":"-Paris","text":"","span":null,"excluded":true}],` +
		`"conditions":[],"criteria":[],"steps":[],` +
		`"corrections":[],"ignored":[],"notes":[]}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestOnlyTheFirstPageHasFacets(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	p := f.page(t, search.Request{Prompt: "pat", Limit: 5, Facets: []indexed.Facet{indexed.FacetCity}})
	if got := p.Metadata.Facets[indexed.FacetCity]; len(got) != 3 || got[0].Count != 10 {
		t.Errorf("facets: %+v", p.Metadata.Facets)
	}
	next := f.page(t, search.Request{Cursor: p.Pagination.Cursor, Facets: []indexed.Facet{indexed.FacetCity}})
	if next.Metadata.Facets != nil {
		t.Errorf("second page: %+v", next.Metadata.Facets)
	}
}

func TestRangingAgainRepeatsTheSearch(t *testing.T) {
	f := newFixture(t, dataset(10)...)
	ctx := t.Context()
	results, err := f.Search(ctx, caller(), search.Request{Filters: berliners, IncludeCounts: "all"})
	expect.NoError(t, err)
	first, second := slices.Collect(results.Events(ctx)), slices.Collect(results.Events(ctx))
	if len(first) != len(second) {
		t.Errorf("%v, then %v", kinds(first), kinds(second))
	}
	for range results.Events(ctx) {
		break // TestMain checks that stopping early leaves nothing running
	}
}
