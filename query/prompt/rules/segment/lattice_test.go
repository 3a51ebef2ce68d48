package segment_test

import (
	"strings"
	"testing"

	"kith/query/prompt"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

func TestBest(t *testing.T) {
	lex := prompttest.Lexicon()
	known := []prompt.Known{
		{Kind: prompt.Company, Term: "stripe", For: "stripe", People: 900},
		{Kind: prompt.FirstName, Term: "jane", For: "jane", People: 40},
		{Kind: prompt.LastName, Term: "doe", For: "doe", People: 50},
		{Kind: prompt.School, Term: "stanford university", For: "stanford university", People: 200},
	}
	tests := map[string]string{
		"backend engineers in Berlin":           "role(backend engineers) cue(in) city(berlin)",
		"Jane Doe at Stripe":                    "name(jane doe) cue(at) company(stripe)",
		"jane doe stripe":                       "name(jane doe) company(stripe)",
		"Stanford University graduates":         "school(stanford university) cue(graduates)",
		"fewer than 50 employees":               "quantity(fewer than 50 employees)",
		"people at Hogwarts":                    "person_word(people) cue(at) named(hogwarts)",
		"iOS or Android developers":             "role(ios) cue(or) role(android developers)",
		"senior or junior web developers":       "seniority(senior) cue(or) seniority(junior) role(web developers)",
		"jane@example.com":                      "address(jane@example.com)",
		"CTOs of companies in the Bay Area":     "c_role(ctos) cue(of) company_word(companies) cue(in) metro(the bay area)",
		"developers in Portland, OR":            "role(developers) cue(in) city(portland) state(or)",
		"Berlin OR Munich":                      "city(berlin) cue(or) city(munich)",
		"people with a PhD in machine learning": "person_word(people) cue(with) filler(a) degree(phd) cue(in) field_of_study(machine learning)",
	}
	for text, want := range tests {
		lattice := segment.New(lex, token.Split(text))
		lattice.Learn(known)
		spans, _ := lattice.Best()
		var got []string
		for _, s := range spans {
			got = append(got, string(s.Type)+"("+strings.Join(token.Norms(lattice.Tokens[s.From:s.To]), " ")+")")
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q\n got %s\nwant %s", text, g, want)
		}
	}
}

// TestWork bounds how much a prompt of the longest kind makes to weigh: the
// readings of each token, whatever the text.
func TestWork(t *testing.T) {
	const most = 60
	lex := prompttest.Lexicon()
	for _, part := range []string{
		"a", "a ", "in ", "not at ", "engineer ", "Berlin, ", "Jane Doe ", "10 to 20 ", "工", "who worked with ", "senior ", "a-", "software engineer or ", "new york ",
	} {
		text := string([]rune(strings.Repeat(part, 1000))[:1000])
		lattice := segment.New(lex, token.Split(text))
		lattice.Learn(nil)
		n := 0
		for _, spans := range lattice.From {
			n += len(spans)
		}
		if tokens := len(lattice.Tokens); tokens > token.Max || n > most*tokens {
			t.Errorf("%q: %d readings of %d tokens", part, n, tokens)
		}
		if terms, near := lattice.Asked(); len(terms) > prompt.MaxTerms || len(near) > prompt.MaxNear {
			t.Errorf("%q: %d terms are looked up, %d of them with near ones", part, len(terms), len(near))
		}
	}
}
