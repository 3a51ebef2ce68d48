package tidy_test

import (
	"os"
	"strings"
	"testing"

	"kith/internal/imports/importer/tidy"
	"kith/internal/test/expect"
)

// cases reads a table of inputs and expected results.
func cases(t *testing.T, name string, check func(in, want string)) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	expect.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		in, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(in, "# ") {
			continue
		}
		if !ok {
			t.Errorf("%q has no tab", line)
		}
		check(in, want)
	}
}

func TestNamesAreTidied(t *testing.T) {
	cases(t, "names.tsv", func(in, want string) {
		f := strings.Split(in, "|")
		if strings.Contains(in, " | ") {
			f = []string{in}
		}
		for len(f) < 6 {
			f = append(f, "")
		}
		got := tidy.Person(tidy.Names{
			Full: f[0], First: f[1], Middle: f[2], Last: f[3], Suffix: f[4], Companies: []string{f[5]},
		})
		if s := got.Full + " | " + got.First + " | " + got.Last; s != want {
			t.Errorf("%q is %q, not %q", in, s, want)
		}
	})
}

func FuzzPerson(f *testing.F) {
	for _, s := range []string{"Dr. Jane Doe, PhD", "o'", "(", "d'", "mc", "-", "Doe,", "김", "a-"} {
		f.Add(s, s, s)
	}
	f.Fuzz(func(_ *testing.T, a, b, c string) {
		tidy.Person(tidy.Names{Full: a, First: b, Last: c, Companies: []string{a, c}})
		tidy.Person(tidy.Names{Full: a})
		tidy.Cased(a)
	})
}
