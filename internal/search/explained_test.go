package search_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/prompt"
)

// matchOf returns the explanation of each person as "criterion = satisfied: evidence".
func matchOf(t *testing.T, people []json.RawMessage) map[int64][]string {
	t.Helper()
	out := map[int64][]string{}
	for _, raw := range people {
		var p struct {
			ID    int64
			Match struct {
				Criteria []struct{ Criterion, Satisfied, Evidence string }
			}
		}
		expect.NoError(t, json.Unmarshal(raw, &p))
		for _, c := range p.Match.Criteria {
			out[p.ID] = append(out[p.ID], c.Criterion+" = "+c.Satisfied+": "+c.Evidence)
		}
	}
	return out
}

func judged(f query.Field, atLeast int64) prompt.Plan {
	return prompt.Plan{Criteria: []prompt.Criterion{{Name: "criterion", Field: f, AtLeast: atLeast}}}
}

func TestExplanationsGiveEvidence(t *testing.T) {
	f := newFixture(t, cast(t)...)
	relating := func(step prompt.Step, r prompt.Relation) prompt.Plan {
		return prompt.Plan{Steps: []prompt.Step{step}, Relations: []prompt.Relation{r}}
	}
	tests := map[string]struct {
		plan   prompt.Plan
		person int64
		want   string
	}{
		"where and when they overlapped": {
			relating(acmeJane, to(prompt.WorkedWith)), 2,
			"worked at the same company at the same time as Jane Doe = yes: Globex, since 2018-02, with Jane Doe; " +
				"Acme, 2016-01 to 2017-08, with Jane Doe",
		},
		"a month": {
			relating(acmeJane, to(prompt.WorkedWith, at("Acme"))), 4,
			"worked at the same company at the same time as Jane Doe (company: Acme) = yes: Acme, " +
				"2015-03 to 2015-03, with Jane Doe",
		},
		"former": {
			relating(acmeJane, to(prompt.FormerColleague)), 9,
			"worked at the same company at the same time as Jane Doe, and no longer does = yes: Globex, 2017-09 to " +
				"2017-09, with Jane Doe",
		},
		"not": {
			relating(acmeJane, to(prompt.WorkedWith, excluded)), 14,
			"not: worked at the same company at the same time as Jane Doe = yes: ",
		},
		"school": {
			relating(acmeJane, to(prompt.SameSchool)), 12,
			"went to the same school as Jane Doe = yes: TU Munich, like Jane Doe",
		},
		"company": {
			relating(acmeJane, to(prompt.AtTheirCompany)), 2,
			"works at the company of Jane Doe = yes: Globex, where Jane Doe works",
		},
		"founded": {
			relating(named("Jane Doe"), to(prompt.AtCompanyFounded)), 12,
			"works at a company founded by Jane Doe = yes: Umbrella, founded by Jane Doe",
		},
		"left": {
			relating(acmeJane, to(prompt.AtTheirPastCompany)), 6,
			"works at a former company of Jane Doe = yes: Acme, where Jane Doe was, 2015-03 to 2017-08",
		},
		"condition": {
			prompt.Plan{Conditions: []prompt.Condition{{
				Says: "designed, and engineered", Query: query.JSON{Query: query.And{Parts: []query.Query{
					query.Nested{Path: query.Past, Part: query.Term{Field: query.Title, Value: "engineer"}},
					query.Nested{Path: query.Current, Part: query.Term{Field: query.Title, Value: "designer"}},
				}}},
			}}},
			9,
			"designed, and engineered = yes: Engineer at Globex, 2016-01 to 2017-09; Designer at Initech, since " +
				"2018-02",
		},
		"school condition": {
			prompt.Plan{Conditions: []prompt.Condition{{
				Says:  "studied",
				Query: query.JSON{Query: query.Nested{Path: query.Education, Part: query.Exists{Field: query.School}}},
			}}},
			15,
			"studied = yes: MIT",
		},
		"criterion": {
			judged(query.Experience, 16800), 14, "criterion = yes: experience 16801; holds from experience 16800 on",
		},
		"criterion, no": {
			judged(query.Experience, 16800), 1, "criterion = no: experience 16495; holds from experience 16800 on",
		},
		"years":     {judged(query.Experienced, -16801), 5, "criterion = yes: 16.0 years; holds from 10.0 years on"},
		"few years": {judged(query.Experienced, -16801), 12, "criterion = no: 6.0 years; holds from 10.0 years on"},
		"companies": {
			judged(query.Founded, 2), 10, "criterion = no: 1 company founded; holds from 2 companies founded on",
		},
		"changes": {
			judged(query.Hops, 333), 16,
			"criterion = yes: 0.43 changes of employer a year; holds from 0.33 changes of employer a year on",
		},
		"points":    {judged(query.Standing, 100), 1, "criterion = yes: 475 points; holds from 100 points on"},
		"no number": {prompt.Plan{Criteria: []prompt.Criterion{newcomers}}, 15, "newcomer = unclear: "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := f.planning(tt.plan).page(t, search.Request{Prompt: "people", Explain: new(true), Limit: 100})
			if got := matchOf(t, p.People)[tt.person]; len(got) != 1 || got[0] != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Every result satisfies each condition and relation by its record, too.
func TestEveryResultSatisfiesItsConditions(t *testing.T) {
	f := newFixture(t, cast(t)...)
	for _, tt := range stepCases() {
		p := f.planning(tt.plan).page(t, search.Request{Prompt: "people", Explain: new(true), Limit: 100})
		for id, said := range matchOf(t, p.People) {
			for _, line := range said {
				if !strings.Contains(line, " = yes: ") || strings.HasSuffix(line, ": ") && !strings.HasPrefix(line,
					"not: ") {
					t.Errorf("%s, person %d: %s", tt.name, id, line)
				}
			}
		}
	}
}

func TestInterpretationShowsThePlan(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(prompt.Plan{
		Filters: []prompt.Filter{filter(query.FilterPosition, "Designer")},
		Conditions: []prompt.Condition{{
			Source: said("moved"), Says: "changed jobs",
			Query: query.JSON{Query: query.Nested{Path: query.Past, Part: query.All{}}},
		}},
		Steps:     []prompt.Step{acmeJane},
		Relations: []prompt.Relation{to(prompt.WorkedWith)},
		Criteria:  []prompt.Criterion{newcomers},
		Ignored:   []string{"please"},
	})
	p := f.page(t, search.Request{Prompt: "people", Scope: search.ScopeGlobal})
	about := p.Metadata.Interpretation
	if p.Metadata.Mode != search.Complex || len(about.Filters) != 1 || !slices.Equal(about.Ignored,
		[]string{"please"}) {
		t.Errorf("mode %s, %+v", p.Metadata.Mode, about)
	}
	for i := range about.Steps {
		if !strings.HasPrefix(about.Steps[i].SQL, "SELECT") {
			t.Errorf("sql of a step: %s", about.Steps[i].SQL)
		}
		about.Steps[i].SQL = "SELECT"
	}
	text, err := json.Marshal([]any{about.Conditions, about.Criteria, about.Steps})
	expect.NoError(t, err)
	want := `[[{"says":"changed jobs","text":"moved","span":[0,5],"relation":"","step":null,"excluded":false},` +
		`{"says":"worked at the same company at the same time as Jane Doe","text":"worked_with","span":[0,11],` +
		`"relation":"worked_with","step":0,"excluded":false}],` +
		`[{"name":"newcomer","text":"newcomers","span":[0,9],"formula":"day of the first job"}],` +
		`[{"says":"Jane Doe","text":"Jane Doe","span":[0,8],"filters":{"company":"Globex","name":"Jane Doe"},` +
		`"relations":[],"found":1,"people":[{"id":1,"full_name":"Jane Doe"}],"sql":"SELECT"}]]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// Words are shown where they were found, without the rest of a long text.
func TestEvidenceOfWordsIsWhereTheyAre(t *testing.T) {
	f := newFixture(t, kith.Person{
		ID: 1, FullName: "Jane Doe", SocialURL: "https://social.example/in/jane", Headline: "Builds bridges",
		Skills:  []string{"Go", "Tunnel Design"},
		AboutMe: "I love rivers. Tunnels are my work! Bridges too.\nAnd music.",
	})
	for keywords, want := range map[string]string{
		"bridges":       "Builds bridges · Bridges too.",
		"rivers":        "I love rivers.",
		"tunnel, music": "Tunnel Design · And music.",
	} {
		p := f.page(t, search.Request{Filters: query.Filters{"keywords": keywords}, Explain: new(true)})
		want = "keywords: " + keywords + " = yes: " + want
		if got := matchOf(t, p.People)[1]; len(got) != 1 || got[0] != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// Conditions on one job must be shown by a single job, even if other jobs satisfy parts of them.
func TestEvidenceComesFromOneJob(t *testing.T) {
	since := "2020-01"
	at := func(title, company string, size int) kith.Job {
		return kith.Job{Title: title, Company: kith.Company{Name: company, EmployeeCount: size}, StartDate: &since}
	}
	f := newFixture(t, kith.Person{
		ID: 1, FullName: "Jane Doe", SocialURL: "https://social.example/in/jane",
		WorkHistory: []kith.Job{at("Engineer", "Small", 10), at("Chef", "Large", 9000), at("Engineer", "Large", 9000)},
	})
	title := func(word string) query.Query {
		return query.Nested{Path: query.Current, Part: query.Term{Field: query.Title, Value: word}}
	}
	plan := prompt.Plan{Conditions: []prompt.Condition{{
		Source: said("engineers"), Says: "engineers, or cooks",
		Query: query.JSON{Query: query.Or{Parts: []query.Query{title("engineer"), title("cook")}}},
	}}}
	p := f.planning(plan).page(t, search.Request{
		Prompt: "people", Filters: query.Filters{query.FilterCompanySize: "5000+"}, Scope: search.ScopeGlobal,
		Explain: new(true),
	})
	want := []string{
		"companySize: 5000+ = yes: Engineer at Large, since 2020-01 · 9000 employees",
		"engineers, or cooks = yes: Engineer at Large, since 2020-01",
	}
	if got := matchOf(t, p.People)[1]; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnknownCompanySizeIsNotZero(t *testing.T) {
	since := "2020-01"
	for size, want := range map[int]string{
		0: "private", 1: "private, 1 employee", 9000: "private, 9000 employees",
	} {
		f := newFixture(t, kith.Person{
			ID: 1, FullName: "Jane Doe", SocialURL: "https://social.example/in/jane",
			WorkHistory: []kith.Job{{
				Title:   "Engineer",
				Company: kith.Company{Name: "Acme", Type: "private", EmployeeCount: size}, StartDate: &since,
			}},
		})
		p := f.page(t, search.Request{
			Filters: query.Filters{query.FilterCompanyType: "private"}, Scope: search.ScopeGlobal, Explain: new(true),
		})
		want = "companyType: private = yes: Engineer at Acme, since 2020-01 · " + want
		if got := matchOf(t, p.People)[1]; !slices.Equal(got, []string{want}) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
