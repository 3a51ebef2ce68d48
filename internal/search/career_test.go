package search_test

import (
	"slices"
	"strings"
	"testing"

	"kith/index"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt"
)

// going is a plan for people of a career, with filters.
func going(t *testing.T, c analysis.Career, filters ...prompt.Filter) prompt.Plan {
	t.Helper()
	timeline, problems := c.Compile(nearToday)
	if problems != nil {
		t.Fatal(problems)
	}
	return prompt.Plan{
		Filters: filters,
		Conditions: []prompt.Condition{
			{Source: said("career"), Says: c.Describe(), Query: query.JSON{Query: timeline}},
		},
	}
}

func job(name query.FilterName, value string) query.Filters { return query.Filters{name: value} }

// engineersBefore are designers who were engineers before.
func engineersBefore() analysis.Career {
	return analysis.InTurn(true, job(query.FilterPosition, "engineer"), job(query.FilterPosition, "designer"))
}

// A career finds the same people on every engine, on pages of any size, with counts and facets.
func TestEnginesAgreeOnCareers(t *testing.T) {
	memory := newFixture(t, cast(t)...)
	for name, on := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory),
		"elasticsearch": onElasticsearch(t, memory),
	} {
		f := on.planning(going(t, engineersBefore()))
		for _, limit := range []int{1, 2, 100} {
			if got := f.walk(t, search.Request{Prompt: "people", Limit: limit}); !slices.Equal(got, []int64{
				4, 7, 8,
				9,
			}) {
				t.Errorf("%s, pages of %d: got %v", name, limit, got)
			}
		}
		p := f.page(t, search.Request{
			Prompt: "people", Limit: 1, IncludeCounts: "global", Facets: []indexed.Facet{indexed.FacetCompany},
		})
		if c := p.Metadata.Counts.Global; c.Value != 4 || c.IsCapped || !p.Pagination.HasNextPage {
			t.Errorf("%s: counted %+v", name, c)
		}
		if facet := p.Metadata.Facets[indexed.FacetCompany]; len(facet) != 1 ||
			facet[0] != (index.FacetValue{Value: "Initech", Count: 4}) {
			t.Errorf("%s: facet %v", name, facet)
		}
	}
}

// A career can also be excluded.
func TestCareersCombineWithFilters(t *testing.T) {
	back := analysis.CameBackTo(job(query.FilterCompany, "Acme"), nil)
	not := going(t, back, filter(query.FilterPastCompany, "Acme"))
	not.Conditions[0].Query.Query = query.Not{Part: not.Conditions[0].Query.Query}
	for name, tt := range map[string]struct {
		plan prompt.Plan
		want []int64
	}{
		"came back":     {going(t, back), []int64{16}},
		"now elsewhere": {going(t, back, filter(query.FilterCompany, "Smallco")), []int64{16}},
		"nobody":        {going(t, back, filter(query.FilterCompany, "Initech")), nil},
		"not":           {not, []int64{2, 1, 3, 4, 7}},
	} {
		f := newFixture(t, cast(t)...).planning(tt.plan)
		got := f.walk(t, search.Request{Prompt: "people", Limit: 2})
		if slices.Sort(tt.want); !slices.Equal(slices.Sorted(slices.Values(got)), tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func TestCareersNarrowAList(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(going(t, engineersBefore()))
	p := f.page(t, search.Request{
		Prompt: "people", Scope: search.ScopeList,
		List: []search.ListEntry{{ID: "1"}, {ID: "9", Score: score(1)}, {ID: "7"}, {ID: "11"}},
	})
	if got := personIDs(t, p.People); !slices.Equal(got, []int64{9, 7}) {
		t.Errorf("got %v", got)
	}
}

// An explanation names the jobs of a career in order. The statement names what is checked after it.
func TestCareersAreExplained(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(going(t, engineersBefore()))
	p := f.page(t, search.Request{Prompt: "people", Explain: new(true)})
	want := []string{"engineer, then now designer = yes: Engineer at Acme, 2014-01 to 2015-03; Designer at Initech, " +
		"since 2016-01"}
	if got := matchOf(t, p.People)[4]; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	sql := p.Metadata.GeneratedSQL
	if !strings.HasPrefix(sql, "/* checked of each person found: a career of [a job with title") ||
		!strings.Contains(sql, "'past.title:engineer'") {
		t.Errorf("sql: %s", sql)
	}
}

// Counts without a filter would include people who had the jobs in another order.
func TestCareersSuggestNoFilterToDrop(t *testing.T) {
	filters := []prompt.Filter{filter(query.FilterCompany, "Initech"), filter(query.FilterSchool, "MIT")}
	for name, plan := range map[string]prompt.Plan{
		"a career": going(t, engineersBefore(), filters...), "filters": {Filters: filters},
	} {
		p := newFixture(t, cast(t)...).planning(plan).withNear().page(t, search.Request{Prompt: "people"})
		if some := len(p.Metadata.Without) > 0; len(p.People) == 0 || some != (name == "filters") {
			t.Errorf("%s: without %+v, %d people", name, p.Metadata.Without, len(p.People))
		}
	}
}

func TestCareersAreCheckedAgainstTheCurrentRecord(t *testing.T) {
	f := newFixture(t, cast(t)...)
	f.config.Records = f
	on := f.planning(going(t, engineersBefore()))
	delete(f.people, 7)
	moved := f.people[8]
	moved.WorkHistory = moved.WorkHistory[1:]
	f.people[8] = moved
	if got := on.walk(t, search.Request{Prompt: "people", Limit: 1}); !slices.Equal(got, []int64{4, 9}) {
		t.Errorf("got %v", got)
	}
}

// The strategy for finding people within reach makes no difference.
func TestPeopleWithinReachComeFirstInCareers(t *testing.T) {
	n := newNeighbourhood(t, 3)
	career := analysis.EmployersOf(nil, new(int64(2)), nil)
	career.Every = &analysis.CareerSpell{Spell: query.Spell{Months: query.Months{Max: new(int64(60))}}}
	cfg := n.config
	cfg.Planner = fixed{going(t, career)}
	n.config = cfg
	for engine, on := range map[string]*search.Service{
		"memory":   n.inMemory(t),
		"postgres": n.on(t, pgtest.Engine(t, n.db.Pool())),
	} {
		all := everyoneOfPrompt(t, on, n.users[0])
		if len(all) < 5 || len(all) > nearPeople/2 {
			t.Fatalf("%d people", len(all))
		}
		for way, set := range nearWays {
			set(on)
			for _, u := range n.users[:3] {
				want, near := n.byNearness(u, nil, all)
				got, gotNear := walkNear(t, on, u, search.Request{Prompt: "people", Limit: 4}, nil)
				if !slices.Equal(got, want) || gotNear != near {
					t.Errorf("%s, %s, user %d:\ngot  %v, %d near\nwant %v, %d near", engine, way, u.person, got,
						gotNear, want, near)
				}
			}
		}
	}
}

// everyoneOfPrompt returns the results of a prompt in scope global.
func everyoneOfPrompt(t *testing.T, s *search.Service, u *user) (people []int64) {
	t.Helper()
	ctx := t.Context()
	for req := (search.Request{Prompt: "people", Scope: search.ScopeGlobal, Limit: 7}); ; {
		results, err := s.Search(ctx, u.Viewer(), req)
		expect.NoError(t, err)
		page, err := search.Collect(ctx, results)
		expect.NoError(t, err)
		people = append(people, personIDs(t, page.People)...)
		if req.Cursor = page.Pagination.Cursor; !page.Pagination.HasNextPage {
			return people
		}
	}
}
