package outreach_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"kith/internal/outreach"
)

func values() map[string]string {
	return map[string]string{
		"first_name": "Zoë", "company": "Initech & Söhne", "city": "", "headline": "Line one\r\nBcc: all@example.com",
		"last_name": "{first_name}", "state": " \u00a0\r\n",
	}
}

func TestRenderFillsPlaceholders(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"plain":        {"Hello", "Hello"},
		"values":       {"Hi {first_name}, how is {company}?", "Hi Zoë, how is Initech & Söhne?"},
		"spaces":       {"Hi { first_name }", "Hi Zoë"},
		"one line":     {"Re: {headline}", "Re: Line one Bcc: all@example.com"},
		"other braces": {"a } b { 1 } {} {", "a } b { 1 } {} {"},
		"not twice":    {"{first_name}{first_name}", "ZoëZoë"},
		"dollar signs": {"$1 {first_name} ${1}", "$1 Zoë ${1}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems := outreach.Render("body", tt.text, values())
			if got != tt.want || len(problems) > 0 {
				t.Errorf("got %q, %v", got, problems)
			}
		})
	}
}

func TestRenderRefusesBadPlaceholders(t *testing.T) {
	tests := map[string]struct{ text, codes, says string }{
		"no value":       {"in {city}", "MISSING_VALUE", "{city} has no value"},
		"blank":          {"in {state}", "MISSING_VALUE", "{state} has no value"},
		"unknown":        {"{zip}", "MISSING_VALUE", "use one of city, company"},
		"misspelt":       {"{frist_name}", "MISSING_VALUE", "did you mean {first_name}?"},
		"case":           {"{First_Name}", "MISSING_VALUE", "did you mean {first_name}?"},
		"once each":      {"{zip} {zip} {city}", "MISSING_VALUE MISSING_VALUE", ""},
		"recursive":      {"{last_name}", "PLACEHOLDER_RECURSIVE", "contains braces"},
		"nested":         {"{{first_name}}", "PLACEHOLDER_NESTED", "one pair"},
		"nested deep":    {"{{{first_name}}}", "PLACEHOLDER_NESTED", ""},
		"in another":     {"{first_{first_name}}", "PLACEHOLDER_NESTED PLACEHOLDER_MALFORMED", ""},
		"never closed":   {"Hi {first_name", "PLACEHOLDER_MALFORMED", "opens no placeholder"},
		"two words":      {"Hi {first name}", "PLACEHOLDER_MALFORMED", ""},
		"with a default": {"Hi {first_name|friend}", "PLACEHOLDER_MALFORMED", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, problems := outreach.Render("body", tt.text, values())
			var codes, texts []string
			for _, p := range problems {
				codes, texts = append(codes, p.Code), append(texts, p.Message)
				if p.Field != "body" {
					t.Errorf("field %q", p.Field)
				}
			}
			if strings.Join(codes, " ") != tt.codes || !strings.Contains(strings.Join(texts, "\n"), tt.says) {
				t.Errorf("got %v", problems)
			}
		})
	}
}

// For thousands of bad braces, the list of problems is limited.
func TestProblemsOfBracesAreLimited(t *testing.T) {
	for text, want := range map[string]int{
		strings.Repeat("{a", 5000): 20, strings.Repeat("{{a}}", 2000): 20, strings.Repeat("{a", 19): 19,
		strings.Repeat("{a} {b", 10): 10, strings.Repeat("{a}", 3333): 0,
	} {
		if got := len(outreach.CheckText("body", text)); got != want {
			t.Errorf("%.20s…: %d problems, want %d", text, got, want)
		}
	}
}

// The same limit holds for placeholders without a value, whatever their names.
func TestProblemsOfPlaceholdersAreLimited(t *testing.T) {
	values := map[string]string{}
	for i := range outreach.MaxVariables {
		values[strings.Repeat("é", 190)+strconv.Itoa(i)] = "x"
	}
	var many strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&many, "{a%d}", i)
	}
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"the same": {strings.Repeat("{a}", 3333), 1}, "others": {many.String(), 20},
		"a long one": {"{" + strings.Repeat("a", 9998) + "}", 1},
	} {
		_, problems := outreach.Render("body", tt.text, values)
		if len(problems) != tt.want {
			t.Errorf("%s: %d problems, want %d", name, len(problems), tt.want)
		}
		for _, p := range problems {
			if n := utf8.RuneCountInString(p.Message); p.Code != "MISSING_VALUE" || n > 600 {
				t.Errorf("%s: %s of %d characters", name, p.Code, n)
			}
		}
	}
}

func FuzzRender(f *testing.F) {
	for _, seed := range []string{
		"Hi {first_name}", "{{first_name}}", "{a{b}c}", "{last_name}", "\x00{", "{first_name}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, problems := outreach.Render("body", text, values())
		if len(problems) == 0 && len(outreach.CheckText("body", got)) > 0 {
			t.Errorf("%q became %q, which still has placeholders", text, got)
		}
		if len(problems) == 0 && strings.Contains(got, "{first_name}") {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestContentHasTextAndHTML(t *testing.T) {
	got := outreach.Written("Hi <Zoë> & co\r\nhow are you?\n\n\n\nBye")
	if got.HTMLBody != "<p>Hi &lt;Zoë&gt; &amp; co<br>\nhow are you?</p>\n<p>Bye</p>\n" {
		t.Errorf("HTML: %q", got.HTMLBody)
	}
	if got.TextBody != "Hi <Zoë> & co\nhow are you?\n\n\n\nBye" || !strings.Contains(got.Body, "\r\n") {
		t.Errorf("text and body: %q %q", got.TextBody, got.Body)
	}
}

func TestAddressesInTextBecomeLinks(t *testing.T) {
	for text, want := range map[string]string{
		"see https://a.ex/x?y=1&z=2.": `see <a href="https://a.ex/x?y=1&amp;z=2">https://a.ex/x?y=1&amp;z=2</a>.`,
		"(http://a.example)":          `(<a href="http://a.example">http://a.example</a>)`,
		"https://a.example/(x)!":      `<a href="https://a.example/(x)">https://a.example/(x)</a>!`,
		"https://a.example\nhttps://b.example": `<a href="https://a.example">https://a.example</a><br>` + "\n" +
			`<a href="https://b.example">https://b.example</a>`,
		`https://a.example"><script>`:      `<a href="https://a.example">https://a.example</a>&#34;&gt;&lt;script&gt;`,
		"https:// and javascript:alert(1)": "https:// and javascript:alert(1)",
	} {
		if got := outreach.Written(text).HTMLBody; got != "<p>"+want+"</p>\n" {
			t.Errorf("%q became %q", text, got)
		}
	}
}
