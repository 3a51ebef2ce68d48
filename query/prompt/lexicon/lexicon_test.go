package lexicon_test

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/gazetteer"
	"kith/query/prompt/lexicon"
	"kith/query/tokenizer"
)

// A line of testdata/senses.txt has a span, " = ", and its senses, separated by "; ". A sense is a type, ":" and a
// name, with "?" at the end if it needs a cue. "!" before a type excludes senses of that type.
func TestSenses(t *testing.T) {
	lex := lexicon.New()
	for _, line := range lines(t, filepath.Join("testdata", "senses.txt")) {
		span, wants, _ := strings.Cut(line, " = ")
		t.Run(span, func(t *testing.T) {
			senses := lex.Senses(tokenizer.Tokens(span))
			for want := range strings.SplitSeq(wants, "; ") {
				if absent, none := strings.CutPrefix(want, "!"); none {
					if slices.ContainsFunc(senses, func(s lexicon.Sense) bool {
						return string(s.Type) == absent &&
							!s.NeedsCue
					}) {
						t.Errorf("there is a sense of type %s: %v", absent, named(senses))
					}
					continue
				}
				if !slices.Contains(named(senses), want) {
					t.Errorf("there is no %q; it has %v", want, named(senses))
				}
			}
		})
	}
}

func named(senses []lexicon.Sense) []string {
	var out []string
	for _, s := range senses {
		name := string(s.Type) + ":" + s.Name
		if s.NeedsCue {
			name += "?"
		}
		out = append(out, name)
	}
	return out
}

// A line of testdata/values.txt has a span, " = ", and the values of its likeliest sense, separated by " | ".
func TestValues(t *testing.T) {
	lex := lexicon.New()
	for _, line := range lines(t, filepath.Join("testdata", "values.txt")) {
		span, want, _ := strings.Cut(line, " = ")
		t.Run(span, func(t *testing.T) {
			senses := lex.Senses(tokenizer.Tokens(span))
			if len(senses) == 0 {
				t.Fatal("the span has no sense")
			}
			if got := strings.Join(senses[0].Values, " | "); got != want {
				t.Errorf("%s %s asks for\n%s, want\n%s", senses[0].Type, senses[0].Name, got, want)
			}
		})
	}
}

func TestSensesAreOrderedByPrior(t *testing.T) {
	lex := lexicon.New()
	for _, span := range []string{"georgia", "product", "nice", "associate", "german", "consulting", "washington"} {
		senses := lex.Senses(tokenizer.Tokens(span))
		if len(senses) < 2 {
			t.Errorf("%s has the senses %v, want at least two", span, named(senses))
		}
		if !slices.IsSortedFunc(senses, func(a, b lexicon.Sense) int { return int(1000 * (b.Prior - a.Prior)) }) {
			t.Errorf("%s: the senses %v are not in order", span, named(senses))
		}
	}
}

func TestInvalidSpansHaveNoSense(t *testing.T) {
	lex := lexicon.New()
	for _, span := range [][]string{nil, {""}, strings.Fields("a b c d e f g"), {"\xff"}} {
		if got := lex.Senses(span); len(got) > 0 {
			t.Errorf("%q has the senses %v, want none", span, named(got))
		}
	}
}

func TestUnknownTitleIsReadAsARole(t *testing.T) {
	s := lexicon.Title(tokenizer.Tokens("Senior Zeppelin Engineer"))
	if s.Type != lexicon.Role || !slices.Contains(s.Values, `"senior zeppelin engineer"`) {
		t.Errorf("the title was read as %+v", s)
	}
}

// An industry is found by its label, by the label with "and", and in lower case.
func TestEveryIndustryOfTheDemoIsFound(t *testing.T) {
	lex := lexicon.New()
	path := filepath.Join("..", "..", "..", "internal", "demo", "data", "industries.tsv")
	for _, line := range lines(t, path) {
		label, _, _ := strings.Cut(line, "\t")
		for _, text := range []string{label, strings.ToLower(label), strings.ReplaceAll(label, "&", "and")} {
			senses := lex.Senses(tokenizer.Tokens(text))
			i := slices.IndexFunc(senses, func(s lexicon.Sense) bool {
				return s.Type == lexicon.Industry &&
					slices.ContainsFunc(s.Values, func(v string) bool { return strings.Trim(v, `"`) == label })
			})
			if i < 0 {
				t.Errorf("%q has no sense with the industry %q: %v", text, label, named(senses))
			}
		}
	}
}

func TestPlacesLieInTheirAreas(t *testing.T) {
	lex := lexicon.New()
	place := func(kind lexicon.Type, name string) *gazetteer.NamedPlace {
		for _, s := range lex.Senses(tokenizer.Tokens(name)) {
			if s.Type == kind {
				return s.Place
			}
		}
		t.Fatalf("%s has no sense of type %s", name, kind)
		return nil
	}
	berlin := place(lexicon.City, "Berlin")
	for _, outer := range []*gazetteer.NamedPlace{
		place(lexicon.Country, "Germany"), place(lexicon.Region, "DACH"), place(lexicon.Region, "Europe"),
		place(lexicon.Metro, "Berlin area"), berlin,
	} {
		if !berlin.LiesIn(*outer) {
			t.Errorf("Berlin is not in %s", outer.Name)
		}
	}
	if berlin.LiesIn(*place(lexicon.Country, "France")) ||
		place(lexicon.Country, "Turkey").LiesIn(*place(lexicon.Region, "Europe")) {
		t.Error("a place lies in an area that does not contain it")
	}
	if got, want := place(lexicon.City, "sf").Qualified(), "San Francisco, California, United States"; got != want {
		t.Errorf("sf is %s, want %s", got, want)
	}
}

// compiles checks that the values compile as a value of the filter.
func compiles(t *testing.T, filter query.FilterName, values, excluded []string) {
	t.Helper()
	all := slices.Clone(values)
	for _, v := range excluded {
		all = append(all, "-"+v)
	}
	if _, problems := analysis.Compile(query.Filters{filter: strings.Join(all, ", ")},
		time.Unix(0, 0)); len(problems) > 0 {
		t.Errorf("%s: %v: %v", filter, all, problems)
	}
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	expect.NoError(t, err)
	defer f.Close()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := sc.Text(); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}
