package taxonomy_test

import (
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

func TestTitle(t *testing.T) {
	for title, want := range expect.Examples(t, "testdata/titles.txt") {
		if got := strings.Join(taxonomy.Title(title), " "); got != want {
			t.Errorf("Title(%q) = %q; want %q", title, got, want)
		}
	}
}

func TestFunctionsOf(t *testing.T) {
	for title, want := range expect.Examples(t, "testdata/functions.txt") {
		if got := strings.Join(taxonomy.FunctionsOf(title), " "); got != want {
			t.Errorf("FunctionsOf(%q) = %q; want %q", title, got, want)
		}
	}
}

func TestEveryFunctionIsListed(t *testing.T) {
	const titles = "Engineer Designer Nurse Teacher Lobbyist Chef Realtor Editor Buyer Welder Tester Publicist"
	for title := range strings.FieldsSeq(titles) {
		if f := taxonomy.Function(title); !slices.Contains(taxonomy.Functions(), f) {
			t.Errorf("Function(%q) = %q is not in the list", title, f)
		}
	}
}

func FuzzTitle(f *testing.F) {
	for _, s := range []string{
		"VP Eng", "Sr. SWE & CTO", "Head of", "of of of", "chief officer to chief", "\xff",
		"日本 CEO", "a/b/c", "intern", "'s",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		title := taxonomy.Title(s)
		if len(title) == 0 && len(tokenizer.Tokens(s)) > 0 {
			t.Fatalf("Title(%q) is empty", s)
		}
		for _, level := range taxonomy.Levels(s) {
			if !slices.Contains(taxonomy.Seniorities(), level) {
				t.Fatalf("%q has the level %q", s, level)
			}
		}
		for _, fn := range taxonomy.FunctionsOf(s) {
			if !slices.Contains(taxonomy.Functions(), fn) {
				t.Fatalf("FunctionsOf(%q) has %q", s, fn)
			}
		}
	})
}
