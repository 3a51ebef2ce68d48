package rules_test

import (
	"testing"

	"kith/index/analysis"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/rules"
)

// Names of several places, and of places and people, mean what the directory
// has most of; a company that is named like a word of titles needs a cue.
func TestAmbiguousNames(t *testing.T) {
	words := prompttest.Lexicon()
	tests := map[string]struct {
		prompt string
		known  map[analysis.Term]int
		want   string // the first filter
	}{
		"the country by itself":        {"engineers in Georgia", nil, "country: Georgia"},
		"the state where people live":  {"engineers in Georgia", places("georgia|us", 40), "state: Georgia"},
		"the country, with few abroad": {"engineers in Georgia", places("georgia|us", 4, "ge", 30), "country: Georgia"},
		"the city of a state":          {"engineers in New York", places("new york|us", 40), "city: New York"},
		"a country without people":     {"Jordan", jordans(nil), "name: Jordan"},
		"a country with people":        {"Jordan", jordans(places("jo", 12)), "country: Jordan"},
		"a name and an employer":       {"Jordan at Acme", jordans(nil), "name: Jordan"},
		"no company in a title":        {"Lead Data Scientist in Texas", companies("lead", 8), `position: "data scientist", "scientist data", +lead`},
		"the company at a cue":         {"designers at Lead", companies("lead", 8), "company: Lead"},
		"a place all the same":         {"lawyers in Jordan", jordans(nil), "country: Jordan"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			plan, err := rules.New(words, prompttest.Of(tt.known)).Plan(t.Context(), tt.prompt, prompt.Auto)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range plan.Filters {
				if got := string(f.Name) + ": " + f.Value; got == tt.want {
					return
				}
			}
			t.Errorf("%q has no filter %s:\n%s", tt.prompt, tt.want, plan)
		})
	}
}

func places(termsAndPeople ...any) map[analysis.Term]int {
	all := map[analysis.Term]int{}
	for i := 0; i < len(termsAndPeople); i += 2 {
		all[analysis.Term{Kind: prompt.Place, Text: termsAndPeople[i].(string)}] = termsAndPeople[i+1].(int)
	}
	return all
}

func companies(namesAndPeople ...any) map[analysis.Term]int {
	all := map[analysis.Term]int{}
	for i := 0; i < len(namesAndPeople); i += 2 {
		all[analysis.Term{Kind: prompt.Company, Text: namesAndPeople[i].(string)}] = namesAndPeople[i+1].(int)
	}
	return all
}

// jordans adds seven people of that first name.
func jordans(others map[analysis.Term]int) map[analysis.Term]int {
	all := map[analysis.Term]int{{Kind: prompt.FirstName, Text: "jordan"}: 7}
	for t, n := range others {
		all[t] = n
	}
	return all
}
