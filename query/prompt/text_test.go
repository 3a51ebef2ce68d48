package prompt_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kith"
	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
)

func plan(t testing.TB, text string, mode prompt.Mode) prompt.Plan {
	t.Helper()
	p, err := prompt.Text{}.Plan(t.Context(), text, mode)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// show writes a plan on one line: mode, filters, ignored words.
func show(p prompt.Plan) string {
	var b strings.Builder
	b.WriteString(string(p.Mode))
	for _, f := range p.Filters {
		b.WriteString(" " + string(f.Name) + "=[" + f.Value + "]")
	}
	if len(p.Ignored) > 0 {
		b.WriteString(" ignored=" + strings.Join(p.Ignored, "|"))
	}
	if p.Nothing {
		b.WriteString(" nothing")
	}
	return b.String()
}

func TestText(t *testing.T) {
	tests := []struct {
		text string
		mode prompt.Mode
		want string
	}{
		{"software engineer", prompt.Auto, "simple keywords=[software engineer]"},
		{"Find me software engineers in Berlin", prompt.Auto, "simple keywords=[software engineers Berlin] ignored=Find|me|in"},
		{`"head of sales", -Berlin`, prompt.Auto, "simple keywords=[head sales -Berlin] ignored=of"},
		{`-Berlin`, prompt.Auto, "simple keywords=[Berlin]"},
		{`a,b-c "d"`, prompt.Auto, "simple keywords=[a b-c d]"},
		{"C++ and C# and .NET.", prompt.Auto, "simple keywords=[C++ C# .NET] ignored=and|and"},
		{"who is in the", prompt.Auto, "simple keywords=[who is in the]"},
		{"?!, -", prompt.Auto, "simple nothing"},
		{"—", prompt.Auto, "simple nothing"},
		{"https://social.example/in/jose-nunez", prompt.Auto, "lookup socialUrl=[https://social.example/in/jose-nunez]"},
		{"find www.social.example/in/jose,", prompt.Auto, "lookup socialUrl=[www.social.example/in/jose] ignored=find"},
		{"(jose@Example.com)", prompt.Auto, "lookup email=[jose@example.com]"},
		{"jose@example.com Stripe", prompt.Auto, "lookup email=[jose@example.com] keywords=[Stripe]"},
		{"https://social.example/company/stripe", prompt.Auto, "simple keywords=[https://social.example/company/stripe]"},
		{"stripe.com", prompt.Auto, "simple keywords=[stripe.com]"},
		{"jose", prompt.Lookup, "lookup keywords=[jose]"},
		{"jose@example.com", prompt.Simple, "simple email=[jose@example.com]"},
		{"rising stars", prompt.Complex, "simple keywords=[rising stars]"},
	}
	for _, tt := range tests {
		if got := show(plan(t, tt.text, tt.mode)); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestTextNotesWhatItCannotFollow(t *testing.T) {
	if p := plan(t, "rising stars", prompt.Complex); len(p.Notes) != 1 {
		t.Errorf("notes: %q", p.Notes)
	}
}

func TestTextSpansCountCodePoints(t *testing.T) {
	text := "find Núñez 工 in München!"
	p := plan(t, text, prompt.Auto)
	if len(p.Filters) != 1 || p.Filters[0].Span != [2]int{5, 23} || p.Filters[0].Text != "Núñez 工 in München" {
		t.Errorf("got %+v", p.Filters)
	}
}

// checkPlan demands of any prompt that its plan asks for something, that its
// spans are the prompt's words, and that its filters read back as they were
// meant: one alternative, not excluded, with the words of the prompt.
func checkPlan(t *testing.T, text string) {
	t.Helper()
	for _, mode := range []prompt.Mode{prompt.Auto, prompt.Lookup, prompt.Simple, prompt.Complex} {
		p := plan(t, text, mode)
		if len(p.Filters) == 0 && !p.Nothing {
			t.Fatalf("%q asks for everyone", text)
		}
		if p.Mode == prompt.Auto || p.Mode == "" {
			t.Fatalf("%q: mode %q", text, p.Mode)
		}
		for _, f := range p.Filters {
			checkFilter(t, text, f)
		}
		compiled, problems := analysis.Compile(p.Values(), time.Unix(0, 0))
		if len(problems) > 0 {
			t.Fatalf("%q: %+v", text, problems)
		}
		if _, all := query.Simplify(compiled.Query).(query.All); all && !p.Nothing {
			t.Fatalf("%q: %v means everyone", text, p.Values())
		}
	}
}

func checkFilter(t *testing.T, text string, f prompt.Filter) {
	t.Helper()
	runes := []rune(text)
	if f.Span[0] < 0 || f.Span[0] >= f.Span[1] || f.Span[1] > len(runes) || string(runes[f.Span[0]:f.Span[1]]) != f.Text {
		t.Fatalf("%q: span %v is not %q", text, f.Span, f.Text)
	}
	alternatives, err := query.ParseFilter(f.Value)
	if err != nil || len(alternatives) != 1 || alternatives[0].Excluded {
		t.Fatalf("%q: filter %s=%q reads as %+v, %v", text, f.Name, f.Value, alternatives, err)
	}
	if f.Name != query.FilterKeywords {
		return
	}
	words := analysis.Tokens(alternatives[0].Text)
	if alternatives[0].Phrase || len(words) == 0 {
		t.Fatalf("%q: keywords %q have no words, or in order", text, f.Value)
	}
	all := analysis.Tokens(text)
	for _, w := range words {
		if !slices.Contains(all, w) {
			t.Fatalf("%q: keywords %q ask for %q", text, f.Value, w)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"software engineer", "?!", "", " ", "\x00", "\xff", "-", `"`, `\`, ",", `-"a`, "ß ß ß", "a@b.c", "http://a.b/c", "http://a.b/,c", "-x@y.z",
		"http://social.example/in/-", "ﬁ ½ ﷺ", "., .NET", "https://a.b/in/x https://a.b/in/y", "the of and", strings.Repeat("ﷺ ", 500), "a\u0301 ́",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n := utf8.RuneCountInString(text); n < 1 || n > kith.MaxPromptLength {
			t.Skip()
		}
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\uFFFD")
		}
		checkPlan(t, text)
	})
}
