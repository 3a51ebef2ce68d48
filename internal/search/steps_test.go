package search_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/prompt"
)

// stepCase is a plan with the people it finds and its notes.
type stepCase struct {
	name string
	plan prompt.Plan
	want []int64
	note string
}

// acmeJane is the Jane Doe of Globex.
var acmeJane = named("Jane Doe", query.Filters{query.FilterCompany: "Globex"})

func stepCases() []stepCase {
	relating := func(step prompt.Step, relations ...prompt.Relation) prompt.Plan {
		return prompt.Plan{Steps: []prompt.Step{step}, Relations: relations}
	}
	designers := []prompt.Filter{filter(query.FilterPosition, "Designer")}
	return []stepCase{
		{"worked with", relating(acmeJane, to(prompt.WorkedWith)), []int64{2, 4, 5, 9, 16}, ""},
		{"worked with at", relating(acmeJane, to(prompt.WorkedWith, at("Acme"))), []int64{2, 4, 5, 16}, ""},
		{"worked with, and a filter", prompt.Plan{
			Filters: designers, Steps: []prompt.Step{acmeJane}, Relations: []prompt.Relation{to(prompt.WorkedWith)},
		}, []int64{4, 9}, ""},
		{"not worked with", prompt.Plan{
			Filters: designers, Steps: []prompt.Step{acmeJane}, Relations: []prompt.Relation{to(prompt.WorkedWith,
				excluded)},
		}, []int64{7, 8, 10}, ""},
		{
			"worked with, where nothing is dated", relating(named("Eve Undated"), to(prompt.WorkedWith)), nil,
			"no overlap can be shown",
		},
		{
			"worked with, at a company without a number", relating(named("Janet Doe"), to(prompt.WorkedWith)),
			[]int64{10, 14, 16},
			"",
		},
		{"former colleague", relating(acmeJane, to(prompt.FormerColleague)), []int64{4, 5, 9, 16}, ""},
		{
			"former colleague, of two namesakes", relating(named("Jane Doe"), to(prompt.FormerColleague)),
			[]int64{4, 5, 9, 13, 16},
			"2 people were found",
		},
		{"same school", relating(acmeJane, to(prompt.SameSchool)), []int64{4, 12, 15}, ""},
		{
			"not the same school", relating(acmeJane, to(prompt.SameSchool, excluded), to(prompt.WorkedWith)),
			[]int64{2, 5, 9, 16},
			"",
		},
		{
			"no school is known", relating(named("Ann Both"), to(prompt.SameSchool)), nil,
			"no school of Ann Both is known",
		},
		{"at their company", relating(acmeJane, to(prompt.AtTheirCompany)), []int64{2}, ""},
		{
			"at the company founded", relating(named("Jane Doe"), to(prompt.AtCompanyFounded)),
			[]int64{12},
			"2 people were found",
		},
		{
			"founded nothing", relating(acmeJane, to(prompt.AtCompanyFounded)), nil,
			"no such company of Jane Doe is known",
		},
		{"at their past company", relating(acmeJane, to(prompt.AtTheirPastCompany)), []int64{5, 6}, ""},
		{
			"at a past company to which they came back", relating(named("Max Moved"), to(prompt.AtTheirPastCompany)),
			[]int64{1, 2, 5, 6},
			"",
		},
		{
			"namesakes are all meant", relating(named("Jane Doe"), to(prompt.AtTheirCompany)),
			[]int64{2, 3, 4, 7, 8, 9, 11},
			"2 people were found",
		},
		{"nobody", relating(named("Nobody Atall"), to(prompt.WorkedWith)), nil, "nobody was found"},
		{"not with nobody", relating(named("Nobody Atall"), to(prompt.WorkedWith, excluded)), nil, "nobody was found"},
		{"a step of a step", prompt.Plan{
			Steps: []prompt.Step{
				named("Janet Doe"),
				{
					Says: "founder they worked with", Filters: query.Filters{query.FilterPastSeniority: "founder"},
					Limit:     3,
					Relations: []prompt.Relation{to(prompt.WorkedWith)},
				},
			},
			Relations: []prompt.Relation{to(prompt.SameSchool, step(1))},
		}, []int64{11}, ""},
		{"nobody in a step of a step", prompt.Plan{
			Steps: []prompt.Step{
				named("Nobody Atall"),
				{Says: "their colleagues", Limit: 3, Relations: []prompt.Relation{to(prompt.AtTheirCompany)}},
			},
			Relations: []prompt.Relation{to(prompt.SameSchool, step(1))},
		}, nil, "nobody was found"},
		{"more people than are taken", relating(
			prompt.Step{Says: "an engineer of Acme", Filters: query.Filters{query.FilterCompany: "Acme"}, Limit: 1},
			to(prompt.WorkedWith),
		), []int64{1, 2, 3, 4, 16}, "more than 1 people were found"},
		{"two relations", prompt.Plan{
			Steps:     []prompt.Step{acmeJane, named("Hal Month")},
			Relations: []prompt.Relation{to(prompt.WorkedWith), to(prompt.AtTheirCompany, step(1))},
		}, []int64{4}, ""},
		{"a condition", prompt.Plan{Conditions: []prompt.Condition{{
			Source: said("moved"), Says: "was at Acme and at Globex",
			Query: query.JSON{Query: query.And{Parts: []query.Query{
				query.Nested{Path: query.Past, Part: query.Term{Field: query.Company, Value: "acme"}},
				query.Nested{Path: query.Past, Part: query.Term{Field: query.Company, Value: "globex"}},
			}}},
		}}}, []int64{16}, ""},
	}
}

// Every kind of relation finds the same people on every engine. So do the printed statements.
func TestEnginesAgreeOnRelations(t *testing.T) {
	memory := newFixture(t, cast(t)...)
	postgres, pool := onPool(t, memory)
	engines := map[string]*fixture{"memory": memory, "postgres": postgres, "elasticsearch": onElasticsearch(t, memory)}
	for _, tt := range stepCases() {
		t.Run(tt.name, func(t *testing.T) {
			for _, engine := range slices.Sorted(maps.Keys(engines)) {
				p := engines[engine].planning(tt.plan).page(t, search.Request{
					Prompt: "people",
					Scope:  search.ScopeGlobal,
				})
				ids := personIDs(t, p.People)
				slices.Sort(ids)
				if !slices.Equal(ids, tt.want) {
					t.Errorf("%s: got %v, want %v\nsteps %+v", engine, ids, tt.want, p.Metadata.Interpretation.Steps)
				}
				if engine == "postgres" {
					runsAsSQL(t, pool, p)
				}
				if notes := strings.Join(p.Metadata.Interpretation.Notes, "; "); !strings.Contains(notes, tt.note) ||
					(notes != "") != (tt.note != "") {
					t.Errorf("%s: notes %q, want %q", engine, notes, tt.note)
				}
			}
		})
	}
}

// runsAsSQL runs the statements of an answer. That of the search must find the same people in
// order, and that of each step the same number.
func runsAsSQL(t *testing.T, pool *pgxpool.Pool, p *search.Page) {
	t.Helper()
	if got, want := selected(t, pool, p.Metadata.GeneratedSQL), personIDs(t, p.People); !slices.Equal(got, want) {
		t.Errorf("generated_sql finds %v, want %v:\n%s", got, want, p.Metadata.GeneratedSQL)
	}
	for _, s := range p.Metadata.Interpretation.Steps {
		if got := selected(t, pool, s.SQL); len(got) != s.Found || s.Found > 0 && got[0] != s.People[0].ID {
			t.Errorf("%s: the statement finds %v, the step found %+v:\n%s", s.Says, got, s.People, s.SQL)
		}
	}
}

func selected(t *testing.T, pool *pgxpool.Pool, sql string) []int64 {
	t.Helper()
	if _, err := pool.Exec(t.Context(), "EXPLAIN "+sql); err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	rows, err := pool.Query(t.Context(), "SELECT id FROM ("+sql+") found")
	expect.NoError(t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	expect.NoError(t, err)
	return append([]int64{}, ids...)
}
