package kith_test

import (
	"slices"
	"strings"
	"testing"

	"kith"
)

func TestValidEmail(t *testing.T) {
	for _, good := range []string{
		"jane@example.com", "a.b+c@sub.example.co", "jürgen@müller.de", "j•••@example.com",
		"j•••@•••.com",
	} {
		if !kith.ValidEmail(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", "jane", "jane@", "@example.com", "Jane <jane@example.com>", "jane@example.com\r\nBcc: x@example.com",
		"jane@example.com, joe@example.com",
		`"a b"@example.com`, "a@[127.0.0.1]", "jane@example.com\x00", "ja\u0081ne@example.com",
		strings.Repeat("a", 260) + "@example.com",
	} {
		if kith.ValidEmail(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestNormalEmail(t *testing.T) {
	for given, want := range map[string]string{
		"Jane@Example.com":                 "Jane@Example.com",
		"Jane@xn--bcher-kva.example":       "Jane@bücher.example",
		"jane@XN--BCHER-KVA.Example":       "jane@bücher.example",
		"jane@BÜCHER.example":              "jane@bücher.example",
		"jane@bu\u0308cher.example":        "jane@bücher.example",
		"jane@mail.xn--r8jz45g.xn--zckzah": "jane@mail.例え.テスト",
		"jane@xn--strae-oqa.example":       "jane@straße.example",
		"jane@xn--.example":                "jane@xn--.example",
		"jane@xn--a-\u00e4.example":        "jane@xn--a-\u00e4.example",
		"j•••@•••.com":                     "j•••@•••.com",
		"xn--bcher-kva@example.com":        "xn--bcher-kva@example.com",
		"no address":                       "no address",
		"":                                 "",
	} {
		got := kith.NormalEmail(given)
		if got != want || kith.NormalEmail(got) != got {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func TestEmailSpellings(t *testing.T) {
	for _, given := range []string{"jane@bücher.example", "jane@xn--bcher-kva.example"} {
		if got := kith.EmailSpellings(given); !slices.Equal(got,
			[]string{"jane@bücher.example", "jane@xn--bcher-kva.example"}) {
			t.Errorf("%q: %q", given, got)
		}
	}
	for _, given := range []string{"jane@example.com", "jane@localhost", ""} {
		if got := kith.EmailSpellings(given); !slices.Equal(got, []string{given}) {
			t.Errorf("%q: %q", given, got)
		}
	}
}
