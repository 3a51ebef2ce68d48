package tokenizer_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kith/query/tokenizer"
)

func TestFold(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"abc", "abc"},
		{"ABC def", "abc def"},
		{"José Núñez", "jose nunez"},
		{"Łukasz Żółć", "lukasz zolc"},
		{"Søren Kierkegård", "soren kierkegard"},
		{"Đặng Thùy Trâm", "dang thuy tram"},
		{"Straße", "strasse"},
		{"STRAẞE", "strasse"},
		{"Ægir Œuvre", "aegir oeuvre"},
		{"Þór Guðmundsson", "thor gudmundsson"},
		{"Işık İstanbul", "isik istanbul"},
		{"Ħamrun", "hamrun"},
		{"Çelik Ğ Ş", "celik g s"},
		{"Ünal Öz Ä", "unal oz a"},
		{"ﬁnance", "finance"},
		{"ＦＵＬＬ　ｗｉｄｔｈ", "full width"},
		{"①②", "12"},
		{"Ångström", "angstrom"},
		{"ΣΊΣΥΦΟΣ ς", "σισυφοσ σ"},
		{"Москва Ёлка Й", "москва елка и"},
		{"東京 とうきょう", "東京 とうきょう"},
		{"がぎ", "がぎ"},
		{"서울특별시", "서울특별시"},
		{"हिन्दी", "हिन्दी"},
		{"مُحَمَّد", "محمد"},
		{"שָׁלוֹם", "שלום"},
		{"O’Neil O´Neil Oʼneil", "o'neil o'neil o'neil"},
		{"back‑end", "back-end"},
		{"a\u200bb\ufeff", "ab"},
		{"Soft\u00adware \u200eJane\u202c\u2069", "software jane"},
		{"x\xff", "x\ufffd"},
		{"Škoda Dvořák", "skoda dvorak"},
		{"Nguyễn Văn Ổn", "nguyen van on"},
		{"ʻOkina", "'okina"},
	} {
		if got := tokenizer.Fold(tt.in); got != tt.want {
			t.Errorf("Fold(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"   ", ""},
		{"...", ""},
		{"Software Engineer", "software engineer"},
		{"C++ developer", "c++ developer"},
		{"C/C++/C#", "c c++ c#"},
		{"F# and J#", "f# and j#"},
		{".NET developer", ".net developer"},
		{"ASP.NET Core", "asp.net core"},
		{"(.NET)", ".net"},
		{".network", "network"},
		{"Node.js, React.js", "node.js react.js"},
		{"Booking.com", "booking.com"},
		{"end.Start", "end start"},
		{"O'Neil", "oneil"},
		{"O’Neil", "oneil"},
		{"D'Angelo's", "dangelos"},
		{"'quoted'", "quoted"},
		{"AT&T", "at&t"},
		{"R&D", "r&d"},
		{"P&L M&A", "p&l m&a"},
		{"Sales&Marketing", "sales marketing"},
		{"Trust & Safety", "trust safety"},
		{"back-end", "back end"},
		{"snake_case", "snake case"},
		{"U.S.A.", "usa"},
		{"U.S. Army", "us army"},
		{"V.P. Sales", "vp sales"},
		{"S.A.", "sa"},
		{"S.p.A.", "spa"},
		{"Ph.D.", "ph d"},
		{"J.P. Morgan", "jp morgan"},
		{"Sr. Engineer", "sr engineer"},
		{"Web 3.0", "web 3.0"},
		{"10+ years", "10 years"},
		{"Google+", "google"},
		{"#hiring", "hiring"},
		{"100% remote", "100 remote"},
		{"e-mail: a@b.co", "e mail a b.co"},
		{"日本語 abc", "日 本 語 abc"},
		{"東京Tower", "東 京 tower"},
		{"김철수", "김철수"},
		{"Москва-Сити", "москва сити"},
		{"हिन्दी भाषा", "हिन्दी भाषा"},
		{"São Paulo", "sao paulo"},
		{"🚀 Founder 🚀", "founder"},
		{"a\x00b", "a b"},
		{"x\xffy", "x y"},
		{"l'Oréal", "loreal"},
		{"Tom & Jerry's", "tom jerrys"},
		{"3M", "3m"},
		{"7-Eleven", "7 eleven"},
		{"H&M", "h&m"},
		{"naïve café", "naive cafe"},
		{"Yahoo!", "yahoo"},
		{"A.B.C", "abc"},
		{"St. Gallen", "st gallen"},
	} {
		if got := strings.Join(tokenizer.Tokens(tt.in), " "); got != tt.want {
			t.Errorf("Tokens(%q) = %q; want %q", tt.in, got, tt.want)
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
