package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"kith/index/semantic"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
)

// neighbours are near terms from a table.
type neighbours map[string][]semantic.Neighbour

func (n neighbours) Neighbours(_ context.Context, kind analysis.TermKind, phrase string, _ int,
	_ float64,
) ([]semantic.Neighbour, error) {
	return n[string(kind)+" "+phrase], nil
}

func nearTerm(text string, similarity float64) semantic.Neighbour {
	return semantic.Neighbour{Term: semantic.Term{Term: analysis.Term{Text: text}}, Similarity: similarity}
}

// withNear adds near terms to the service of a fixture, and with them near misses.
func (f *fixture) withNear() *fixture {
	out := *f
	out.config.Neighbours = neighbours{
		"title sommelier": {nearTerm("software engineer", 0.7)}, "title programmer": {nearTerm("software engineer",
			0.81)},
		"skill golang": {nearTerm("go", 0.9)},
	}
	out.Service = search.New(out.config)
	return &out
}

// closestOf returns the ids of the matches on a page, the ids of its near misses, and what these lack.
func closestOf(t *testing.T, p *search.Page) (matches []int64, missing map[int64]string) {
	t.Helper()
	ids := personIDs(t, p.People)
	if p.Metadata.Closest == nil {
		return ids, nil
	}
	at := p.Metadata.Closest.BeginsAt
	if p.Metadata.Closest.Count != len(ids)-at || p.Pagination.Count != at {
		t.Errorf("%+v of %d people, and pagination counts %d", p.Metadata.Closest, len(ids), p.Pagination.Count)
	}
	missing = map[int64]string{}
	for i, record := range p.People {
		var person struct {
			Match struct {
				Closest struct {
					Missing []struct {
						Field, Value string
						Instead      *string
						Similarity   *float64
					}
				}
			}
		}
		expect.NoError(t, json.Unmarshal(record, &person))
		lacks := ""
		for _, m := range person.Match.Closest.Missing {
			lacks += m.Field + ": " + m.Value
			if m.Instead != nil {
				lacks += " → " + *m.Instead
			}
			if m.Similarity != nil {
				lacks += fmt.Sprintf(" %.2f", *m.Similarity)
			}
			lacks += "; "
		}
		if (lacks != "") != (i >= at) {
			t.Errorf("person %d at %d lacks %q, and the closest begin at %d", ids[i], i, lacks, at)
		}
		if lacks != "" {
			missing[ids[i]] = lacks
		}
	}
	return ids[:at], missing
}

func closest(on bool) *bool { return &on }

// closestCases are searches with their matches, their near misses, and what these lack, on every engine.
var closestCases = []struct {
	name           string
	filters        query.Filters
	matches, close []int64
	lacks          []string // in order, without duplicates
}{
	{
		"software engineers in the place are near misses, those elsewhere are not",
		query.Filters{query.FilterPosition: "programmer", query.FilterCity: "Berlin"},
		nil,
		[]int64{1, 10, 13, 22, 25, 34, 37},
		[]string{"position: programmer → software engineer 0.81; "},
	},
	{
		"matches come first and are not repeated",
		query.Filters{query.FilterPosition: "designer", query.FilterCity: "Lisbon"},
		[]int64{12, 24, 36},
		[]int64{4, 8, 16, 20, 28, 32, 40},
		[]string{"city: Lisbon → Europe; "},
	},
	{
		"a skill is missing in the place",
		query.Filters{query.FilterPosition: "designer", query.FilterSkills: "Rust", query.FilterCountry: "Portugal"},
		nil,
		[]int64{12, 24, 36},
		[]string{"skills: Rust; "},
	},
	{
		"the title alone is left if nobody comes closer",
		query.Filters{query.FilterPosition: "designer", query.FilterSkills: "Rust"},
		nil,
		[]int64{4, 8, 12, 16, 20, 24, 28, 32, 36, 40},
		[]string{"skills: Rust; "},
	},
	{
		"near misses lack two specialties only if nobody comes closer, and no place in which they live",
		query.Filters{
			query.FilterPosition: "designer", query.FilterSkills: "Rust", query.FilterCompanyIndustry: "banking",
			query.FilterCountry: "Portugal",
		},
		nil,
		[]int64{4, 8, 12, 16, 20, 24, 28, 32, 36, 40},
		[]string{
			"country: Portugal; companyIndustry: banking; skills: Rust; ", "companyIndustry: banking; skills: Rust; ",
		},
	},
	{
		"at a named company the title widens to its function, then to anyone",
		query.Filters{query.FilterPosition: "ux researcher", query.FilterCompany: "Siemens"},
		nil,
		[]int64{12, 32, 2, 7, 17, 22, 27, 37},
		[]string{"position: ux researcher → function: design; ", "position: ux researcher; "},
	},
}

func TestNearMissesAndWhatTheyLack(t *testing.T) {
	memory := newFixture(t, dataset(40)...).withNear()
	for name, f := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory),
		"elasticsearch": onElasticsearch(t, memory),
	} {
		for _, c := range closestCases {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				p := f.page(t, search.Request{Filters: c.filters, Scope: search.ScopeGlobal, Closest: closest(true)})
				matches, missing := closestOf(t, p)
				ids := personIDs(t, p.People)[len(matches):]
				var lacks []string
				for _, id := range ids {
					if m := missing[id]; m != "" && !slices.Contains(lacks, m) {
						lacks = append(lacks, m)
					}
				}
				if len(matches) == 0 && p.Metadata.Closest == nil {
					ids = nil
				}
				if !slices.Equal(matches, c.matches) || !slices.Equal(ids, c.close) || !slices.Equal(lacks, c.lacks) {
					t.Errorf("%v match, %v are close and lack %q; want %v, %v, %q",
						matches, ids, lacks, c.matches, c.close, c.lacks)
				}
				if p.Pagination.HasNextPage {
					t.Error("there is a next page")
				}
			})
		}
	}
}

func TestNearMissesFitOnThePage(t *testing.T) {
	f := newFixture(t, dataset(40)...).withNear()
	p := f.page(t, search.Request{
		Filters: query.Filters{query.FilterPosition: "designer", query.FilterCity: "Lisbon"},
		Closest: closest(true), Limit: 9,
	})
	if matches, missing := closestOf(t, p); len(matches) != 3 || len(missing) != 6 || p.Pagination.HasNextPage {
		t.Errorf("the matches are %v, the near misses %v", matches, missing)
	}
}

func TestNearMissesAppearOnlyWhereUseful(t *testing.T) {
	f := newFixture(t, dataset(40)...).withNear()
	filters := query.Filters{query.FilterPosition: "programmer", query.FilterCity: "Berlin"}
	for _, c := range []struct {
		name string
		req  search.Request
		want bool
	}{
		{"filters alone", search.Request{Filters: filters}, false},
		{"filters alone, with closest", search.Request{Filters: filters, Closest: closest(true)}, true},
		{"a prompt", search.Request{Prompt: "sommeliers in Berlin"}, true},
		{"a prompt without closest", search.Request{Prompt: "sommeliers in Berlin", Closest: closest(false)}, false},
		{"many matches", search.Request{Prompt: "software engineers"}, false},
		{"a name", search.Request{Prompt: "Jane Roe"}, false},
		{
			"a company",
			search.Request{Filters: query.Filters{query.FilterCompany: "Nonesuch"}, Closest: closest(true)},
			false,
		},
		{"a list", search.Request{
			Prompt: "sommeliers in Berlin", Scope: search.ScopeList, List: []search.ListEntry{{ID: "1", Number: true}},
			Closest: closest(true),
		}, false},
	} {
		p := f.page(t, c.req)
		if got := p.Metadata.Closest != nil; got != c.want {
			t.Errorf("%s: near misses: %v, want %v", c.name, got, c.want)
		}
	}
}

// A walk over the matches gives the same people and counts with and without near misses, on pages of any size.
func TestNearMissesDoNotChangeAWalk(t *testing.T) {
	f := newFixture(t, dataset(60)...).withNear()
	walk := func(req search.Request) (matches []int64, counts []search.Counts, close int) {
		for {
			p := f.page(t, req)
			ids, missing := closestOf(t, p)
			matches, close = append(matches, ids...), close+len(missing)
			if p.Metadata.Counts != nil {
				counts = append(counts, *p.Metadata.Counts)
			}
			if !p.Pagination.HasNextPage {
				return matches, counts, close
			}
			req = search.Request{Cursor: p.Pagination.Cursor}
		}
	}
	total := 0
	for seed := range 60 {
		req := requests().Example(seed)
		req.IncludeCounts, req.Closest = "all", closest(false)
		without, counts, none := walk(req)
		req.Closest = closest(true)
		with, countsWith, some := walk(req)
		if !slices.Equal(with, without) || fmt.Sprint(len(counts)) != fmt.Sprint(len(countsWith)) {
			t.Errorf("%+v: %v with closest, %v without", req, with, without)
		}
		a, _ := json.Marshal(counts)
		b, _ := json.Marshal(countsWith)
		if string(a) != string(b) || none != 0 || some > 0 && len(with) >= 10 {
			t.Errorf("%+v: counts %s and %s, %d and %d near misses", req, a, b, none, some)
		}
		total += some
	}
	if total == 0 {
		t.Error("no walk had near misses")
	}
}

func TestStreamAnnouncesNearMisses(t *testing.T) {
	f := newFixture(t, dataset(40)...).withNear()
	var announced, end any
	results := 0
	for _, e := range f.events(t, search.Request{Prompt: "sommeliers in Berlin", Scope: search.ScopeGlobal, Limit: 5}) {
		switch e := e.(type) {
		case search.StageEnd:
			if e.Stage == search.StageClosest {
				announced = []any{e.Complete, e.Results}
			}
		case search.Result:
			expect.Values(t, "result after its stage", []any{announced != nil, e.Cursor != "", e.Index}, true, true,
				results)
			results++
		case search.Done:
			end = []any{e.Pagination.HasNextPage, e.Pagination.Count, e.Metadata.Closest != nil}
		case search.Started, search.Counted, search.Failed:
		}
	}
	expect.Values(t, "stage, number of results and end", []any{announced, results, end},
		[]any{false, 5}, 5, []any{false, 0, true})
}

func TestNearMissesOfSlowClientsAreFetchedAgain(t *testing.T) {
	f := newFixture(t, dataset(40)...).withNear()
	ctx := t.Context()
	results, err := f.Search(ctx, caller(),
		search.Request{Prompt: "sommeliers in Berlin", Scope: search.ScopeGlobal})
	expect.NoError(t, err)
	var got []json.RawMessage
	for e := range results.Events(ctx) {
		if r, is := e.(search.Result); is {
			got = append(got, r.Person)
			results.DropBuffered()
		}
	}
	want := f.page(t, search.Request{Prompt: "sommeliers in Berlin", Scope: search.ScopeGlobal})
	if !slices.Equal(personIDs(t, got), personIDs(t, want.People)) {
		t.Errorf("got %v, want %v", personIDs(t, got), personIDs(t, want.People))
	}
}

func TestAnswerCountsMatchesWithoutAFilter(t *testing.T) {
	f := newFixture(t, dataset(40)...).withNear()
	p := f.page(t, search.Request{
		Filters: query.Filters{
			query.FilterPosition: "Designer", query.FilterCity: "Lisbon",
			query.FilterCompany: "Siemens",
		},
		Closest: closest(true),
	})
	got, _ := json.Marshal(p.Metadata.Without)
	want := `[{"fields":["company"],"count":3,"is_capped":false},{"fields":["city"],"count":2,"is_capped":false},` +
		`{"fields":["position"],"count":2,"is_capped":false},` +
		`{"fields":["position","company"],"count":13,"is_capped":false}]`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p = f.page(t, search.Request{Filters: query.Filters{query.FilterPosition: "Sommelier"}, Closest: closest(true)})
	if p.Metadata.Without != nil {
		t.Errorf("a search with a single filter must have no such counts: %v", p.Metadata.Without)
	}
}

// If nobody matches, the answer lists the names in the filters that nobody in the dataset has.
func TestAnswerListsUnknownNames(t *testing.T) {
	f := newFixture(t, dataset(40)...).withNear()
	for _, c := range []struct {
		filters query.Filters
		want    string
	}{
		{
			query.Filters{query.FilterPosition: "Designer", query.FilterCompany: "Nonesuch Bakeries"},
			`[{"field":"company","value":"Nonesuch Bakeries"}]`,
		},
		{
			query.Filters{query.FilterSchool: "Nonesuch University", query.FilterCompany: "Siemens"},
			`[{"field":"school","value":"Nonesuch University"}]`,
		},
		{
			query.Filters{query.FilterPosition: "Designer", query.FilterCity: "Lisbon", query.FilterCompany: "Siemens"},
			`null`,
		},
		{query.Filters{query.FilterCompany: "-Nonesuch", query.FilterPosition: "Sommelier"}, `null`},
	} {
		p := f.page(t, search.Request{Filters: c.filters, Closest: closest(true)})
		if got, _ := json.Marshal(p.Metadata.Unknown); string(got) != c.want {
			t.Errorf("%v: got %s, want %s", c.filters, got, c.want)
		}
	}
}

// If nobody's career took the course asked for, those who had the jobs in another order come close, then those who
// had the last of them.
func TestOtherCareersComeClose(t *testing.T) {
	memory := newFixture(t, cast(t)...)
	inTurn := func(isCurrent bool, titles ...string) analysis.Career {
		jobs := make([]query.Filters, len(titles))
		for i, title := range titles {
			jobs[i] = job(query.FilterPosition, title)
		}
		return analysis.InTurn(isCurrent, jobs...)
	}
	not := going(t, engineersBefore(), filter(query.FilterCompany, "Nonesuch"))
	not.Conditions[0].Query.Query = query.Not{Part: not.Conditions[0].Query.Query}
	for name, on := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory), "elasticsearch": onElasticsearch(t, memory),
	} {
		for _, c := range []struct {
			plan  prompt.Plan
			close []int64
			lacks string
		}{
			{
				going(t, inTurn(false, "designer", "engineer")),
				[]int64{4, 7, 8, 9, 1, 2, 3, 5, 6, 11, 12, 13, 14, 16},
				"career: designer, then engineer; ",
			},
			{
				going(t, inTurn(true, "sommelier", "designer")),
				[]int64{4, 7, 8, 9, 10},
				"career: sommelier, then now designer; ",
			},
			{going(t, inTurn(true, "engineer", "sommelier")), nil, ""},
			{
				going(t, inTurn(true, "engineer", "sommelier"), filter(query.FilterPosition, "designer")),
				[]int64{4, 7, 8, 9, 10},
				"career: engineer, then now sommelier; ",
			},
			{not, nil, ""},
		} {
			p := on.withNear().planning(c.plan).page(t, search.Request{Prompt: "people"})
			_, missing := closestOf(t, p)
			if got := personIDs(t, p.People); !slices.Equal(got, c.close) {
				t.Errorf("%s, %s: %v come close, want %v", name, c.plan.Conditions[0].Says, got, c.close)
			}
			for id, lacks := range missing {
				expect.Values(t, fmt.Sprint(name, ": what is missing of ", id), []any{lacks}, c.lacks)
			}
		}
	}
}
