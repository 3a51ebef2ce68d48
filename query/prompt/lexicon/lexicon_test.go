package lexicon_test

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kith/index/analysis"
	"kith/index/gazetteer"
	"kith/index/taxonomy"
	"kith/index/tokenizer"
	"kith/query"
	"kith/query/prompt/lexicon"
)

// TestSenses reads testdata/senses.txt: a span, " = ", and the senses that it
// must have, separated by "; ": type, ":" and a name, "?" behind it for a sense
// that needs a cue. "!" before a type says that there must be none of it.
func TestSenses(t *testing.T) {
	lex := lexicon.New()
	for _, line := range lines(t, filepath.Join("testdata", "senses.txt")) {
		span, wants, _ := strings.Cut(line, " = ")
		t.Run(span, func(t *testing.T) {
			senses := lex.Senses(tokenizer.Tokens(span))
			for want := range strings.SplitSeq(wants, "; ") {
				if absent, none := strings.CutPrefix(want, "!"); none {
					if slices.ContainsFunc(senses, func(s lexicon.Sense) bool { return string(s.Type) == absent && !s.NeedsCue }) {
						t.Errorf("it has a sense of type %s: %v", absent, named(senses))
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

// TestValues reads testdata/values.txt: a span, " = ", and the values of its
// likeliest sense, separated by " | ".
func TestValues(t *testing.T) {
	lex := lexicon.New()
	for _, line := range lines(t, filepath.Join("testdata", "values.txt")) {
		span, want, _ := strings.Cut(line, " = ")
		t.Run(span, func(t *testing.T) {
			senses := lex.Senses(tokenizer.Tokens(span))
			if len(senses) == 0 {
				t.Fatal("it has no sense")
			}
			if got := strings.Join(senses[0].Values, " | "); got != want {
				t.Errorf("%s %s asks for\n%s, want\n%s", senses[0].Type, senses[0].Name, got, want)
			}
		})
	}
}

// TestLikeliestFirst wants the senses in the order of their priors.
func TestLikeliestFirst(t *testing.T) {
	lex := lexicon.New()
	for _, span := range []string{"georgia", "product", "nice", "associate", "german", "consulting", "washington"} {
		senses := lex.Senses(tokenizer.Tokens(span))
		if len(senses) < 2 {
			t.Errorf("%s has %v", span, named(senses))
		}
		if !slices.IsSortedFunc(senses, func(a, b lexicon.Sense) int { return int(1000 * (b.Prior - a.Prior)) }) {
			t.Errorf("%s: %v are not in order", span, named(senses))
		}
	}
}

// TestLongSpans has no sense for what is no span.
func TestLongSpans(t *testing.T) {
	lex := lexicon.New()
	for _, span := range [][]string{nil, {""}, strings.Fields("a b c d e f g"), {"\xff"}} {
		if got := lex.Senses(span); len(got) > 0 {
			t.Errorf("%q has %v", span, named(got))
		}
	}
}

// TestTitle reads words that are said to be a title.
func TestTitle(t *testing.T) {
	s := lexicon.Title(tokenizer.Tokens("Senior Zeppelin Engineer"))
	if s.Type != lexicon.Role || s.Level != taxonomy.LevelSenior ||
		!slices.Contains(s.Values, `"senior zeppelin engineer"`) {
		t.Errorf("%+v", s)
	}
}

// TestIndustriesOfDemo reaches every industry of the demo dataset by its
// label, by that with "and", and by lower case.
func TestIndustriesOfDemo(t *testing.T) {
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
				t.Errorf("%q does not ask for %q: %v", text, label, named(senses))
			}
		}
	}
}

// TestInside says which place lies in which.
func TestInside(t *testing.T) {
	lex := lexicon.New()
	place := func(kind lexicon.Type, name string) *gazetteer.NamedPlace {
		for _, s := range lex.Senses(tokenizer.Tokens(name)) {
			if s.Type == kind {
				return s.Place
			}
		}
		t.Fatalf("%s is no %s", name, kind)
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
		t.Error("a place lies in another that does not hold it")
	}
	if got, want := place(lexicon.City, "sf").Qualified(), "San Francisco, California, United States"; got != want {
		t.Errorf("sf is %s, want %s", got, want)
	}
}

// compiles reports whether the values compile as the filter's value.
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
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := sc.Text(); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

func BenchmarkNew(b *testing.B) {
	lexicon.New() // reads the tables, once
	b.ReportAllocs()
	for b.Loop() {
		lexicon.New()
	}
}

// BenchmarkSenses looks all spans of a prompt of 25 words up.
func BenchmarkSenses(b *testing.B) {
	lex := lexicon.New()
	words := tokenizer.Tokens("find senior backend engineers in the san francisco bay area who used to work at stripe " +
		"and are now at fintech startups with fewer than 200 employees")
	b.ReportAllocs()
	for b.Loop() {
		for i := range words {
			for n := i + 1; n <= len(words) && n-i <= lexicon.MaxWords; n++ {
				lex.Senses(words[i:n])
			}
		}
	}
}
