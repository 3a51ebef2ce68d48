package reader

import (
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query"
	"kith/query/prompt/frame"
)

// What the grammar excludes, the tagger does not ask for, nor the alternatives to it; other kinds keep their marks.
func TestMarksAreExact(t *testing.T) {
	for marks, want := range map[[2]string]string{
		{"no {t managers}", "no {t.not managers}"}:                             "no {t.not managers}",
		{"not {k sales}", "not {f.not sales}"}:                                 "not {k sales}",
		{"within {N.all two degrees} of me", "within {N.2 two degrees} of me"}: "within {N.2 two degrees} of me",
		{"no {u smokers}", "no {u.not smokers}"}:                               "no {u smokers}",
	} {
		own, err := frame.Parse(marks[0])
		expect.NoError(t, err)
		grammar, err := frame.Parse(marks[1])
		expect.NoError(t, err)
		for i, m := range own.Marks {
			own.Marks[i] = asExact(m, grammar.Marks)
		}
		if got := own.String(); got != want {
			t.Errorf("%s with %s is %s, want %s", marks[0], marks[1], got, want)
		}
	}
}

// Each weight of what only one reading asks for belongs to a kind that plans have.
func TestChoiceKnowsTheKinds(t *testing.T) {
	kinds := map[string]bool{}
	for _, info := range query.FilterTable() {
		kinds[string(info.Name)], kinds["-"+string(info.Name)] = true, true
	}
	for _, other := range []string{"condition", "step", "relation", "network", "criterion"} {
		kinds[other] = true
	}
	for name := range readWeights("choice.tsv", choiceFile) {
		if _, kind, ok := strings.Cut(name, ":"); ok && !kinds[kind] {
			t.Errorf("%s is no kind of a plan", name)
		}
	}
}
