package search_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"kith"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/prompt"
)

// doubtful returns a plan that can be read in three ways: a name, a company, and a relation.
func doubtful(confidence prompt.Confidence) prompt.Plan {
	plan := prompt.Plan{
		Mode: prompt.Simple, Confidence: confidence, Probability: 0.4,
		Filters: []prompt.Filter{filter(query.FilterPersonName, "Kim Small")},
	}
	return plan.WithReadings([]prompt.Plan{
		{Mode: prompt.Simple, Filters: []prompt.Filter{filter(query.FilterCompany, "Smallco")}},
		{
			Mode: prompt.Complex, Steps: []prompt.Step{named("Kim Small")},
			Relations: []prompt.Relation{to(prompt.WorkedWith)},
		},
	})
}

// Each reading of a prompt finds its own people on every engine, by one request.
func TestAReadingIsTakenByItsNumber(t *testing.T) {
	memory := newFixture(t, cast(t)...)
	postgres, pool := onPool(t, memory)
	engines := map[string]*fixture{"memory": memory, "postgres": postgres, "elasticsearch": onElasticsearch(t, memory)}
	want := map[int][]int64{0: {14}, 1: {14}, 2: {13, 14, 16}, 3: {13, 16}}
	for _, engine := range slices.Sorted(maps.Keys(engines)) {
		f := engines[engine].planning(doubtful(prompt.Low))
		for reading, ids := range want {
			p := f.page(t, search.Request{Prompt: "x", Reading: reading, Scope: search.ScopeGlobal})
			got := personIDs(t, p.People)
			slices.Sort(got)
			about := p.Metadata.Interpretation
			if !slices.Equal(got, ids) || about.Reading != reading || len(about.Alternatives) != 2 {
				t.Errorf("%s, reading %d: got %v, want %v; %+v", engine, reading, got, ids, about)
			}
			if asked := about.Question != nil; asked != (reading == 0) || asked != (about.Confidence != "") {
				t.Errorf("%s, reading %d: confidence %q, question %+v", engine, reading, about.Confidence,
					about.Question)
			}
			if engine == "postgres" {
				runsAsSQL(t, pool, p)
			}
		}
	}
}

// A question has the reading that was searched for as its first answer. Only a doubtful reading is asked about.
func TestOnlyDoubtfulReadingsAreAsked(t *testing.T) {
	f := newFixture(t, cast(t)...)
	for _, c := range []prompt.Confidence{prompt.Low, prompt.Middle} {
		about := f.planning(doubtful(c)).page(t, search.Request{Prompt: "x"}).Metadata.Interpretation
		if about.Confidence != c || (about.Question != nil) != (c == prompt.Low) {
			t.Errorf("confidence %s, want %s; question %+v", about.Confidence, c, about.Question)
		}
		if q := about.Question; q != nil {
			expect.Values(t, "question", []any{q.Text, q.Answers},
				"Do you mean name: Kim Small, or company: Smallco, or worked with: Kim Small?", []search.Answer{
					{Reading: 1, Says: "name: Kim Small"},
					{Reading: 2, Says: "company: Smallco"},
					{Reading: 3, Says: "worked with: Kim Small"},
				})
		}
	}
}

// Later pages keep the reading of the first. A number that the prompt has no reading for is refused.
func TestWalksKeepTheirReading(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(doubtful(prompt.Middle))
	req := search.Request{Prompt: "x", Reading: 2, Limit: 2, Scope: search.ScopeGlobal}
	req.Cursor = f.page(t, req).Pagination.Cursor
	if p := f.page(t, req); len(p.People) != 1 || p.Metadata.Interpretation.Reading != 2 {
		t.Errorf("%d people, reading %d", len(p.People), p.Metadata.Interpretation.Reading)
	}
	req.Reading = 3
	if e := f.refusal(t, req); e.Code != "CURSOR_MISMATCH" {
		t.Errorf("another reading with the cursor: %v", e)
	}
	rome := prompt.Plan{Filters: []prompt.Filter{filter(query.FilterCity, "Rome")}}
	certain := newFixture(t, cast(t)...).planning(rome)
	for code, req := range map[string]search.Request{
		"NO_SUCH_READING": {Prompt: "x", Reading: 2}, "OUT_OF_RANGE": {Prompt: "x", Reading: 4},
		"READING_WITHOUT_PROMPT": {Filters: query.Filters{query.FilterCity: "Rome"}, Reading: 1},
	} {
		_, err := certain.try(t.Context(), req)
		if e, ok := errors.AsType[*kith.Error](err); !ok || len(e.Fields) != 1 || e.Fields[0].Code != code {
			t.Errorf("%+v: %v, want %s", req, err, code)
		}
	}
}
