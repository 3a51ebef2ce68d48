package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/analysis"
	"kith/query/tokenizer"
)

func TestNameTokens(t *testing.T) {
	for in, want := range expect.Examples(t, "testdata/nametokens.txt") {
		if got := strings.Join(analysis.NameTokens(in), " "); got != want {
			t.Errorf("NameTokens(%q) = %q; want %q", in, got, want)
		}
	}
}

func TestNameKey(t *testing.T) {
	for _, tt := range []struct{ a, b string }{
		{"José Núñez", "nunez, JOSE"},
		{"Dr. Jane Doe", "Jane Doe, MBA"},
		{"王小明", "小明王"},
	} {
		if a, b := analysis.NameKey(tt.a), analysis.NameKey(tt.b); a != b {
			t.Errorf("NameKey(%q) = %q, NameKey(%q) = %q", tt.a, a, tt.b, b)
		}
	}
}

func TestNameForms(t *testing.T) {
	for _, tt := range []struct {
		name string
		has  string
		not  string
	}{
		{"Robert Smith", "robert smith bob rob bobby r s", "rs robertsmith"},
		{"Bob Smith", "bob smith robert b", ""},
		{"William Henry Gates", "bill will h harry w g wh", "whg"},
		{"Elizabeth Bennet", "liz beth lizzy", ""},
		{"Hans Müller", "muller mueller h m", ""},
		{"Hans Mueller", "mueller muller", ""},
		{"Søren Ågård", "soren soeren agard aagaard", ""},
		{"Bob", "bob robert", "b"},
		{"Smith, Robert", "bob r s", ""},
		{"Jean-Luc Picard", "jean luc picard jeanluc", "jeanlucpicard"},
		{"Kim Min-jun", "kim minjun", ""},
		{"J.K. Rowling", "jk j k rowling r", ""},
		{"AJ Smith", "aj a j smith", ""},
		{"王小明", "王 小 明", "王小 小明"},
		{"", "", "x"},
	} {
		forms := analysis.NameForms(tt.name)
		for want := range strings.FieldsSeq(tt.has) {
			if !slices.Contains(forms, want) {
				t.Errorf("NameForms(%q) = %q lacks %q", tt.name, forms, want)
			}
		}
		for not := range strings.FieldsSeq(tt.not) {
			if slices.Contains(forms, not) {
				t.Errorf("NameForms(%q) = %q has %q", tt.name, forms, not)
			}
		}
	}
}

func TestCompanyName(t *testing.T) {
	for in, want := range expect.Examples(t, "testdata/companynames.txt") {
		if got := strings.Join(analysis.CompanyName(in), " "); got != want {
			t.Errorf("CompanyName(%q) = %q; want %q", in, got, want)
		}
	}
}

func FuzzCompanyName(f *testing.F) {
	for _, s := range []string{"Foo GmbH & Co. KG", "Inc", "The", "AS", "a s", "株式会社", "\xff Ltd", " , Inc", "Spa."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(analysis.CompanyName(s)) == 0 && len(tokenizer.Tokens(s)) > 0 {
			t.Fatalf("CompanyName(%q) is empty", s)
		}
		analysis.NameForms(s)
	})
}
