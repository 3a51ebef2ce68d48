package tokenizer_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kith/internal/test/expect"
	"kith/query/tokenizer"
)

func TestFold(t *testing.T) {
	for in, want := range expect.Examples(t, "testdata/folds.txt") {
		if got := tokenizer.Fold(in); got != want {
			t.Errorf("Fold(%q) = %q; want %q", in, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	for in, want := range expect.Examples(t, "testdata/tokens.txt") {
		if got := strings.Join(tokenizer.Tokens(in), " "); got != want {
			t.Errorf("Tokens(%q) = %q; want %q", in, got, want)
		}
	}
}

func TestTokensAreBounded(t *testing.T) {
	long := tokenizer.Tokens(strings.Repeat("é", 5000) + " " + strings.Repeat("w ", 5000))
	if len(long) > 1000 || len(long[0]) > 100 {
		t.Errorf("%d tokens, the first of %d bytes", len(long), len(long[0]))
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", "José", "ǅ", "İ", "ΐ", "ﷺ", "\xff\xfe", "각", "が", "ŉ", "ẞ", "ᾳ", "̈́", "Å"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := tokenizer.Fold(s)
		if !utf8.ValidString(once) {
			t.Fatalf("Fold(%q) = %q is not UTF-8", s, once)
		}
		if twice := tokenizer.Fold(once); twice != once {
			t.Fatalf("Fold(%q) = %q, but folding that gives %q", s, once, twice)
		}
	})
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{
		"C++ .NET", "O'N.E.I.L", "a&b&c", "at&t&", "1.2.3.com", "x'''y", "日.js", "#c#", "+++",
		"é.js", "a.b.c.d",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tokens := tokenizer.Tokens(s)
		for _, tok := range tokens {
			if tok == "" || len(tok) > 100 || strings.ContainsAny(tok, " \t\n,\"") || !utf8.ValidString(tok) {
				t.Fatalf("Tokens(%q) has %q", s, tok)
			}
			if again := tokenizer.Tokens(tok); !slices.Equal(again, []string{tok}) {
				t.Fatalf("Tokens(%q) has %q, which is tokenized again as %q", s, tok, again)
			}
		}
	})
}
