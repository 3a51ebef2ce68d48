package taxonomy_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/taxonomy"
)

func TestDegree(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"MSc", "master science"},
		{"M.Sc.", "master science"},
		{"Master of Science", "master science"},
		{"Master's of Science in Physics", "master science physics"},
		{"MBA", "master business administration"},
		{"PhD", "doctor philosophy"},
		{"Ph.D.", "doctor philosophy"},
		{"B.A.", "bachelor arts"},
		{"BSc Computer Science", "bachelor science computer science"},
		{"Bachelor's degree", "bachelor degree"},
		{"B.Com.", "bachelor commerce"},
		{"BCA", "bachelor computer application"},
		{"Bachelor of Computer Applications", "bachelor computer application"},
		{"BSN", "bachelor science nursing"},
		{"Bachelor of Science in Nursing", "bachelor science nursing"},
		{"Bachelor of Law", "bachelor laws"},
		{"LLB", "bachelor laws"},
		{"Juris Doctor", "doctor law"},
		{"JD", "doctor law"},
		{"Ed.D.", "doctor education"},
		{"M.Ed.", "master education"},
		{"DVM", "doctor veterinary medicine"},
		{"Abitur", "abitur"},
		{"", ""},
	} {
		if got := strings.Join(taxonomy.Degree(tt.in), " "); got != tt.want {
			t.Errorf("Degree(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

// Every spelling in records has the normal form of the degree's name.
func TestSpellingsOfADegreeAreEqual(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("data", "degrees.tsv"))
	expect.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		cols := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		want := taxonomy.Degree(cols[0])
		for s := range strings.SplitSeq(cols[2], "; ") {
			if s[0] == '+' {
				continue
			}
			s = strings.Trim(s, "-~")
			if got := taxonomy.Degree(s); !slices.Equal(got, want) {
				t.Errorf("%q is %q, want %q as for %q", s, got, want, cols[0])
			}
		}
	}
}
