package grammar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kith/internal/test/expect"
	"kith/query/prompt/phrase"
)

func loadFiles(files map[string]string) (*Grammar, error) {
	all := fstest.MapFS{}
	for name, text := range files {
		all["data/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return load(all)
}

func (g *Grammar) symbolNames(all []Symbol) string {
	var names []string
	for _, s := range all {
		names = append(names, g.Name(s))
	}
	return strings.Join(names, " ")
}

// String returns an expression in the notation of the rules.
func (e Expr) String() string {
	if e.Part > 0 {
		return fmt.Sprint("$", e.Part)
	}
	if e.Call == "" {
		return e.Word
	}
	return e.Call + strings.ReplaceAll(strings.ReplaceAll(fmt.Sprint(e.Args), "[", "("), "]", ")")
}

// An optional symbol or a choice gives a rule for each variant. References count the symbols as written.
func TestProductionsAreExpanded(t *testing.T) {
	for production, want := range map[string][]string{
		"Where = AT Companies -> now($2)": {"r.1 Where: AT Companies [1 2] now($2)"},
		"W = (AT|IN)? City":               {"r.1 W: City [2] ", "r.1 W: AT City [1 2] ", "r.1 W: IN City [1 2] "},
		`Q = Job "," THEN? Job -> $4`: {
			`r.1 Q: Job ", Job [1 2 4] $4`,
			`r.1 Q: Job ", THEN Job [1 2 3 4] $4`,
		},
		"Title = Level !Role -> $1":             {"r.1 Title: Level [1] $1, not before Role"},
		`Q = A -> with("a b", as(x-y, $1), $1)`: {"r.1 Q: A [1] with(a b as(x-y $1) $1)"},
		"Q = A? -> $1":                          {"r.1 Q: A [1] $1"},
		"A = B\n\tA = C":                        {"r.1 A: B [1] ", "r.2 A: C [1] "},
		"Q = A\nlist Places = Place": {
			"r.1 Q: A [1] ", "list_places.1 Places: Place [1] $1",
			"list_places.2 Places: Places Join Place [1 2 3] union($1 $3)",
			"both_places.1 Places: BOTH Place Join Place [1 2 3 4] both($2 $4)",
		},
	} {
		g, err := loadFiles(map[string]string{"a.rules": "# rules\nrule r\n\t" + production + "\n"})
		if err != nil {
			t.Errorf("%s: %v", production, err)
			continue
		}
		var got []string
		for _, r := range g.Rules {
			text := fmt.Sprintf("%s %s: %s %v %v", r.ID, g.Name(r.LHS), g.symbolNames(r.RHS), r.At, r.Expr)
			if r.Not != None {
				text += ", not before " + g.Name(r.Not)
			}
			if got = append(got, text); !slices.Contains(g.ByFirst[r.RHS[0]], r) {
				t.Errorf("%s: rule %s is not found by its first symbol", production, text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s gives\n%q, want\n%q", production, got, want)
		}
	}
}

// The message names the line, and quotes what is wrong there.
func TestBadRulesAreReportedWithTheirLine(t *testing.T) {
	for _, c := range []struct {
		text  string
		line  int
		quote string
	}{
		{"rules r", 1, `"rules"`},
		{"\n# x\n\tA = B", 3, "under a rule"},
		{"rule r\n\tA B -> $1", 2, `"A B -> $1"`},
		{"list Places", 1, `"Places"`},
		{"rule r\n\tA = B -> now($2", 2, `"now($2"`},
		{"rule r\n\tA = B -> now($2 $3)", 2, `"$3)"`},
		{"rule r\n\tA = B -> $0", 2, `"$0"`},
		{"rule r\n\tA = B -> f(\"x)", 2, `"\"x)"`},
		{"rule r\n\tA = B -> f($1) g", 2, `" g"`},
		{"rule r\n\tA = B -> ->", 2, `">"`},
		{"rule r\n\tA = B -> f(,)", 2, `",)"`},
		{"top A\nrule r\n\tA = B\n\nbad x", 5, `"bad"`},
	} {
		_, err := loadFiles(map[string]string{"a.rules": c.text})
		if at := fmt.Sprintf("grammar: data/a.rules:%d: ", c.line); !strings.HasPrefix(fmt.Sprint(err), at) ||
			!strings.Contains(err.Error(), c.quote) {
			t.Errorf("%q: %v, want line %d and %s", c.text, err, c.line, c.quote)
		}
	}
}

// A file named by a code of two letters is a language. Its phrases are folded as those of prompts are.
func TestLanguagesHaveTheirOwnClasses(t *testing.T) {
	g, err := loadFiles(map[string]string{
		"base.classes": "at\n\tat; at the\nPlace\n\tabroad\n",
		"de.classes": "at\n\tbei; bei der (Firma|Bank)\nnone\n\tat\nwords\n\tund so\nletters\n\täß\nelided\n\tl'\n" +
			"gender\n\tinnen\nnouns\n\tyes\nsays five\n\tfünf\nending -er\n\tern\nending 0\n\tinnen\n",
	})
	expect.NoError(t, err)
	l := g.Languages["de"]
	if got := g.symbolNames(l.Classes["bei der firma"]); len(g.Languages) != 1 || got != "AT" {
		t.Errorf("%d languages; bei der Firma is %s", len(g.Languages), got)
	}
	if none, removed := l.Classes["at"]; !removed || none != nil || g.symbolNames(g.Classes.Of("at")) != "AT" ||
		g.symbolNames(g.Classes.Of("abroad")) != "PLACE" {
		t.Errorf("at is %v in German and %v in English; abroad is %v", none, g.Classes.Of("at"),
			g.Classes.Of("abroad"))
	}
	for _, w := range []string{"bei", "der", "firma", "und", "so", "l", "funf"} {
		if !l.Words[w] {
			t.Errorf("%s is no word of the language", w)
		}
	}
	expect.Values(t, "language",
		[]any{
			l.Letters['ä'], l.Letters['ß'], l.Elided["l"], l.Gendered["innen"], l.CapitalNouns, l.Says["funf"],
			l.Endings,
		}, true, true, true, true, true, "five", []Ending{{"innen", ""}, {"ern", "er"}})
}

// All phrases of a pattern are in its class, and nothing else. The words of a class are those of its phrases.
func TestClassesHaveThePhrasesOfTheirPatterns(t *testing.T) {
	patterns := []string{
		"[who] (have|has|is not) [ever] left", "who", "[who|that]", "has (left|gone) [for good]", "has left",
	}
	g, err := loadFiles(map[string]string{
		"a.classes": "gone\n\t" + strings.Join(patterns[:3], "; ") + "\nleft\n\t" + strings.Join(patterns[3:], ";") +
			"\n",
	})
	expect.NoError(t, err)
	want, words := map[string][]Symbol{}, map[string]bool{}
	for i, pattern := range patterns {
		class := g.Symbol([]string{"GONE", "GONE", "GONE", "LEFT", "LEFT"}[i])
		for text := range phrase.Parse(pattern).Phrases() {
			if !slices.Contains(want[text], class) {
				want[text] = append(want[text], class)
			}
			for w := range strings.SplitSeq(text, " ") {
				words[w] = true
			}
		}
	}
	for text := range want {
		for _, text := range []string{text, text + " who", "who " + text, text + " left", strings.TrimPrefix(text,
			"who ")} {
			if got := g.Classes.Of(text); !slices.Equal(got, want[text]) {
				t.Errorf("%q is %s, want %s", text, g.symbolNames(got), g.symbolNames(want[text]))
			}
		}
	}
	if got := g.Classes.Words(nil); !maps.Equal(got, words) {
		t.Errorf("the words are %v, want %v", got, words)
	}
	without := map[string][]Symbol{"has gone": nil, "has gone for good": nil}
	if got := g.Classes.Words(without); got["gone"] || !got["good"] || !got["has"] {
		t.Errorf("without all phrases with gone the words are %v", got)
	}
}

// No pattern is empty. None has brackets in brackets, which would be text.
func TestPatternsOfClassesAreWellFormed(t *testing.T) {
	g := Load()
	for begin, patterns := range g.Classes {
		for _, p := range patterns {
			text := strings.Join(slices.Concat(p.pattern...), " ")
			if begin == "" || strings.ContainsAny(text, "()[]") {
				t.Errorf("class %s has the pattern %q", g.symbolNames([]Symbol{p.class}), p.pattern)
			}
		}
	}
}

// A reference may name an optional symbol, which some rules of its production lack, but no other.
func TestReferencesNamePartsOfTheirProduction(t *testing.T) {
	g := Load()
	type part struct {
		id string
		n  int
	}
	written := map[part]bool{}
	for _, r := range g.Rules {
		for _, n := range r.At {
			written[part{r.ID, n}] = true
		}
	}
	var check func(id string, e Expr)
	check = func(id string, e Expr) {
		if e.Part > 0 && !written[part{id, e.Part}] {
			t.Errorf("production %s has no symbol %d", id, e.Part)
		}
		for _, arg := range e.Args {
			check(id, arg)
		}
	}
	for _, r := range g.Rules {
		check(r.ID, r.Expr)
	}
}
