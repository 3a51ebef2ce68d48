package taxonomy_test

import (
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/taxonomy"
)

func TestSeniority(t *testing.T) {
	for title, want := range expect.Examples(t, "testdata/seniority.txt") {
		if got, _, _ := strings.Cut(strings.Join(taxonomy.Levels(title), " "), " "); got != want {
			t.Errorf("the highest level of %q is %q, want %q", title, got, want)
		}
	}
}

func TestLevels(t *testing.T) {
	for _, tt := range []struct{ title, want string }{
		{"Founder & CEO", "founder cxo"},
		{"CTO & Co-founder", "founder cxo"},
		{"EVP & CFO", "cxo vp"},
		{"Senior Engineer / Team Lead", "lead"},
		{"Partner and Managing Director", "partner director"},
		{"Engineer", ""},
		{"Director of Sales and Marketing", "director"},
	} {
		if got := strings.Join(taxonomy.Levels(tt.title), " "); got != tt.want {
			t.Errorf("Levels(%q) = %q; want %q", tt.title, got, tt.want)
		}
	}
}
