package token_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"kith/query/prompt/token"
)

// show writes tokens as norms with a mark of their kind and gap.
func show(tokens []token.Token) string {
	var parts []string
	for _, t := range tokens {
		text := t.Norm
		if t.Gap != "" {
			text = t.Gap + "·" + text
		}
		switch t.Kind {
		case token.Number:
			text += "#"
			if t.Plus {
				text += "+"
			}
		case token.Email, token.Profile, token.URL, token.Domain:
			text += fmt.Sprintf("@%d", t.Kind)
		}
		if t.Possessive {
			text += "'s"
		}
		if t.Quote > 0 {
			text += fmt.Sprintf("q%d", t.Quote)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func TestSplit(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Senior back-end engineers", "senior back -·end engineers"},
		{"ex-Google, Meta/Stripe", "ex -·google ,·meta /·stripe"},
		{"AT&T C++ and .NET, Node.js.", "at&t c++ and .net ,·node.js"},
		{"AI/ML R&D U.S.A. O'Neil", "ai /·ml r&d usa oneil"},
		{"Stripe's engineers' lunch", "stripe's engineers's lunch"},
		{"200-500 people, 1,000+ or 10k", "200# -·500# people ,·1000#+ or 10000#"},
		{"1.000 or 2.500.000+, 1.5, 1.25m, 0.125", "1000# or 2500000#+ ,·1.5# ,·1250000# ,·0.125#"},
		{"<50 employees >=10", "<·50# employees >=·10#"},
		{"3d 4th Web3", "3d 4th web3"},
		{`"head of sales" at`, "headq1 ofq1 salesq1 at"},
		{"(jose@Example.com)", "(·jose@example.com@2"},
		{"Jane Doe <jane@example.com>, <50", "jane doe <·jane@example.com@2 >,<·50#"},
		{
			"https://social.example/in/jose www.acme.com stripe.com/jobs",
			"https://social.example/in/jose@3 www.acme.com@4 stripe.com/jobs@4",
		},
		{"at stripe.com now", "at stripe.com@5 now"},
		{"\u200esoft\u00adware engineers\u200b, \ufeffstripe.com\u202c", "software engineers ,·stripe.com@5"},
		{"São Paulo — München", "sao paulo —·munchen"},
		{"東京 engineer", "東 京 engineer"},
		{"محمد ﷺ engineer xﷺy", "محمد ﷺ·engineer x ﷺ·y"},
		{"$5M Series B", "5000000# series b"},
		{"?!, -", ""},
		{"cooks -chefs - 5 -6\n-Python", "cooks ,·not chefs -·5# -·6# \n-·python"},
		{"Sr. Engineer. Berlin", "sr engineer .·berlin"},
		{"in Kent,\r\nSurrey\nand Sussex,\n\nnot London", "in kent ,·surrey \n·and sussex ,\n\n·not london"},
	}
	for _, tt := range tests {
		if got := show(token.Split(tt.text)); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"a-b/c d", "\xff\x00", "1,000,5", "ﷺ½", "'s", "c++++", "$", "….",
		strings.Repeat("東", 300),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		runes := []rune(text)
		last := 0
		tokens := token.Split(text)
		if len(tokens) > token.Max {
			t.Fatalf("%d tokens", len(tokens))
		}
		for _, tok := range tokens {
			if tok.From < last || tok.To <= tok.From || tok.To > utf8.RuneCountInString(text) ||
				string(runes[tok.From:tok.To]) != tok.Text || tok.Norm == "" {
				t.Fatalf("%q: invalid token %+v after position %d", text, tok, last)
			}
			last = tok.To
		}
	})
}

// A letter that folds to several words, or to none, is not tried as a part of every possible word.
func TestLettersThatFoldToSeveralWordsAreCheap(t *testing.T) {
	of := func(text string) float64 { return testing.AllocsPerRun(1, func() { token.Split(text) }) }
	for _, letter := range []string{"ﷺ", "\ufdfb", "\ufe70"} {
		if one, many := of(letter), of(strings.Repeat(letter, 1000)); many > 1100*one {
			t.Errorf("%+q: %v allocations, and %v for a thousand of them", letter, one, many)
		}
	}
}

func TestSplitMarksEntriesOfEnumerations(t *testing.T) {
	for text, want := range map[string]string{
		"Needed: 1. CFOs 2. Finance directors": "needed :·cfos •·finance directors",
		"(a) nurses (b) midwives":              "•·nurses •·midwives",
		"1) nurses":                            "1# )·nurses",
		"Series A. 1 to 2 years":               "series a 1# to 2# years",
	} {
		if got := show(token.Split(text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestSplitJoinsWrappedLines(t *testing.T) {
	tests := []struct {
		name, text string
		breaks     int
	}{
		{"a long line goes on", "We are looking for people who have worked in the\ncompliance team of a bank", 0},
		{"a line ends in a word that cannot end a phrase", "I need a nurse in\nLeeds", 0},
		{"entries of a list", "nurses\nmidwives\nLeeds", 2},
		{"a mark ends a line", "We are looking for nurses with ten years of experience.\nIn Leeds", 1},
		{"an empty line ends a long one", "We are looking for nurses who have worked in intensive care\n\nin Leeds", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			breaks := 0
			for _, one := range token.Split(test.text) {
				if strings.Contains(one.Gap, "\n") {
					breaks++
				}
			}
			if breaks != test.breaks {
				t.Errorf("%q: %d breaks, want %d", test.text, breaks, test.breaks)
			}
		})
	}
}
