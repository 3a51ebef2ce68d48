package suggest_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kith/internal/search/suggest"
)

func TestMatchOfPrefixesAndTypos(t *testing.T) {
	for _, c := range []struct {
		term, typed string
		want        suggest.Match
	}{
		{"acme", "acme", suggest.Whole},
		{"acme", "acme ", suggest.Whole},
		{"acme", "ac", suggest.Begins},
		{"acme widgets", "acme ", suggest.Begins},
		{"acmes", "acme ", suggest.None},
		{"berlin|de", "berlin", suggest.Whole},
		{"new york|us", "york", suggest.Begins},
		{"deutsche bank", "ban", suggest.Begins},
		{"deutsche bank", "ba", suggest.None},
		{"turban", "ban", suggest.None},
		{"google", "gogl", suggest.Typo},   // one letter missing
		{"google", "gooogl", suggest.Typo}, // one letter too many
		{"google", "goigle", suggest.Typo}, // one letter wrong
		{"google", "goolge", suggest.Typo}, // two letters transposed
		{"google", "goox", suggest.None},   // wrong in the last letter
		{"google", "googlex", suggest.None},
		{"google", "gpp", suggest.None},    // too short for a typo
		{"google", "hoogle", suggest.None}, // wrong in the first letter
		{"google", "gxxgle", suggest.None}, // two letters wrong
		{"munchen", "muxnc", suggest.Typo},
		{"acme", "", suggest.None},
	} {
		if got := suggest.MatchOf(c.term, c.typed); got != c.want {
			t.Errorf("%q for %q is match %d, want %d", c.term, c.typed, got, c.want)
		}
	}
}

// A term that matches with a typo also matches one of the patterns of the look-up.
func TestTypoPatternsFindEveryTypo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab%_é]{1,8}`)
		term, typed := word.Draw(t, "term"), word.Draw(t, "typed")
		if suggest.MatchOf(term, typed) != suggest.Typo {
			return
		}
		for _, p := range suggest.TypoPatterns(typed) {
			if like(p).MatchString(term) {
				return
			}
		}
		t.Fatalf("no pattern of %q matches %q", typed, term)
	})
}

// like translates a pattern of SQL's like to a regular expression.
func like(pattern string) *regexp.Regexp {
	var b strings.Builder
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			b.WriteString(regexp.QuoteMeta(string(r)))
			escaped = false
		case r == '\\':
			escaped = true
		case r == '%':
			b.WriteString(".*")
		case r == '_':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return regexp.MustCompile("^" + b.String() + "$")
}
