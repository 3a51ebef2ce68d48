package analysis_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kith"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// quoted returns a text as a phrase of the filter grammar.
func quoted(text string) string { return query.Alternative{Text: text, Phrase: true}.String() }

// titles draws job titles from common words of titles, and from any text.
func titles() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{
		"VP", "V.P.", "Sr.", "Senior", "Software", "Engineer", "Engineers", "of", "the", "&", "and", "Back-End",
		"back end",
		"CTO", "PM",
		"Head", "Sales", "Trust & Safety", "C++", ".NET", "Co-Founder", "R&D", "(", ")", "/", ",", "II", "Chief",
		"Officer", "日本", "Développeur", "Ops", "to", "\"",
	})
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(part, 1, 8).Draw(t, "parts"), " ") }),
		rapid.StringN(1, 60, 200),
	)
}

func TestEveryTextFindsItself(t *testing.T) {
	for _, tt := range []struct {
		filter query.FilterName
		person func(text string) kith.Person
		empty  func(text string) bool
	}{
		{
			"position", func(s string) kith.Person { return kith.Person{WorkHistory: []kith.Job{held(s, "X", "")}} },
			func(s string) bool { return len(taxonomy.Title(s)) == 0 },
		},
		{"pastPosition", func(s string) kith.Person {
			return kith.Person{WorkHistory: []kith.Job{worked(s, "X", "",
				"2020")}}
		}, func(s string) bool { return len(taxonomy.Title(s)) == 0 }},
		{
			"company", func(s string) kith.Person { return kith.Person{WorkHistory: []kith.Job{held("CEO", s, "")}} },
			func(s string) bool { return len(analysis.CompanyName(s)) == 0 },
		},
		{
			"name", func(s string) kith.Person { return kith.Person{FullName: s} },
			func(s string) bool { return len(analysis.NameTokens(s)) == 0 },
		},
		{"school", func(s string) kith.Person {
			return kith.Person{EducationHistory: []kith.Education{{Institute: s}}}
		}, func(s string) bool { return len(tokenizer.Tokens(s)) == 0 }},
		{"degree", func(s string) kith.Person {
			return kith.Person{EducationHistory: []kith.Education{{Degree: s}}}
		}, func(s string) bool { return len(tokenizer.Tokens(s)) == 0 }},
		{
			"skills", func(s string) kith.Person { return kith.Person{Skills: []string{s}} },
			func(s string) bool { return len(tokenizer.Tokens(s)) == 0 },
		},
		{
			"keywords", func(s string) kith.Person { return kith.Person{Headline: s} },
			func(s string) bool { return len(tokenizer.Tokens(s)) == 0 },
		},
	} {
		t.Run(string(tt.filter), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := strings.TrimSpace(titles().Draw(t, "text"))
				if tt.empty(text) || !inGrammar(text) {
					t.Skip("nothing to look for")
				}
				d, err := analysis.Person(tt.person(text), 0, 1)
				expect.NoError(t, err)
				c, problems := analysis.Compile(query.Filters{tt.filter: quoted(text)}, now())
				if problems != nil {
					t.Fatal(problems)
				}
				if !indexed.Match(d, c.Query) {
					t.Fatalf("%q does not find itself by %+v", text, c.Query)
				}
				if c.Exact != nil && !indexed.Match(d, c.Exact) {
					t.Fatalf("%q does not find itself exactly by %+v", text, c.Exact)
				}
				if whole, _ := analysis.Compile(query.Filters{tt.filter: "=" + quoted(text)}, now()); c.Exact != nil &&
					!indexed.Match(d, whole.Query) {
					t.Fatalf("%q does not find itself as a whole by %+v", text, whole.Query)
				}
			})
		})
	}
}

// inGrammar reports whether a filter can hold the text at all.
func inGrammar(text string) bool {
	alts, err := query.ParseFilter(quoted(text))
	return err == nil && len(alts) == 1
}

func TestExactImpliesClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title, wanted := titles().Draw(t, "title"), titles().Draw(t, "wanted")
		alt := query.Alternative{Text: strings.TrimSpace(wanted), Phrase: rapid.Bool().Draw(t, "phrase")}
		c, problems := analysis.Compile(query.Filters{"position": alt.String(), "name": alt.String()}, now())
		if problems != nil {
			t.Skip("not a filter")
		}
		d, err := analysis.Person(kith.Person{FullName: title, WorkHistory: []kith.Job{held(title, "X", "")}}, 0, 1)
		expect.NoError(t, err)
		if indexed.Match(d, c.Exact) && !indexed.Match(d, c.Query) {
			t.Fatalf("%q matches %q exactly but not closely", title, wanted)
		}
	})
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		"a", `"a, b", -c`, "50-200", "<1k", "https://a.b/c", "NYC", "Paris TX", "-", "VP Eng",
		"=VP Eng, -=b", "\x00", "Paris, , ,",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, info := range query.FilterTable() {
			c, problems := analysis.Compile(query.Filters{info.Name: value}, now())
			if (c.Query == nil) != (problems != nil) {
				t.Fatalf("%s %q: %v, %v", info.Name, value, c.Query, problems)
			}
		}
	})
}
