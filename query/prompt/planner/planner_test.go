package planner_test

import (
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

func today() time.Time { return time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC) }

func newPlanner(t testing.TB) *planner.Planner {
	t.Helper()
	return planner.New(prompttest.Lexicon(), goldenVocabulary(t)).At(today)
}

// Each expected part is a line of the plan: a filter with at least the given values.
func TestExamplesOfTheGrammarHaveTheirPlans(t *testing.T) {
	p := newPlanner(t)
	for _, e := range examples(t) {
		plan, err := p.Plan(t.Context(), kith.Operator(), e.prompt, prompt.Auto)
		expect.NoError(t, err)
		text := "\n" + plan.String()
		for want := range strings.SplitSeq(e.plan, "; ") {
			name, values, _ := strings.Cut(want, ": ")
			_, line, found := strings.Cut(text, "\n"+name+": ")
			line, _, _ = strings.Cut(line, "\n")
			for v := range strings.SplitSeq(values, ", ") {
				if !found || !strings.Contains(line, v) {
					t.Errorf("rule %s: %q: no %s: %s in%s", e.rule, e.prompt, name, v, text)
				}
			}
		}
	}
}

// Each word of a golden prompt is part of something understood, or ignored, or a filler.
func TestNothingIsLost(t *testing.T) {
	p := newPlanner(t)
	for _, name := range goldenFiles(t, "golden") {
		text, err := os.ReadFile(name)
		expect.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> "); ok {
				if lost := p.Lost(t, text); len(lost) > 0 {
					t.Errorf("%q: lost %q", text, lost)
				}
			}
		}
	}
}

// FuzzPlan plans any text without an error and without a lost word.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		"engineers in Berlin", "who do I know at Stripe", "\xff\x00", "a, b or (c", manyTitles,
		strings.Repeat("of ", 300), "東京 engineer", "–––",
	} {
		f.Add(seed)
	}
	p := newPlanner(f)
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		if len([]rune(text)) > 1000 {
			t.Skip()
		}
		planned(t, p, text)
		if lost := p.Lost(t, text); len(lost) > 0 {
			t.Errorf("%q: lost %q", text, lost)
		}
	})
}

// manyTitles have more alternatives than a filter can hold.
const manyTitles = "developers, designers, recruiters, researchers, SOC analysts, lawyers, doctors, civil engineers, " +
	"customer support specialists, compensation managers, policy managers, product managers and data scientists"

// What fits into no filter is a condition, whatever numbers and lists a prompt has.
func TestPlansCompile(t *testing.T) {
	p := newPlanner(t)
	for _, text := range slices.Concat(slices.Collect(maps.Values(worst())), []string{
		"people who worked with " + manyTitles + " in Berlin",
		"people who left Google more than 150 years ago",
		"cooks with more than 150 years of experience",
		"engineers at companies that are more than 3000 years old",
		"engineers at companies that are less than 3000 years old",
	}) {
		planned(t, p, text)
	}
	plan := planned(t, p, manyTitles+" in Berlin")
	if len(plan.Filters) != 1 || len(plan.Conditions) != 2 { // the titles, and titles of others that have their words
		t.Errorf("got\n%s", plan)
	}
}

// Scores order the readings, so each is a number, also with a name of initials only.
func TestScoresAreNumbers(t *testing.T) {
	readings, err := newPlanner(t).Readings(t.Context(), kith.Operator(), "A B test managers in Leeds", 24, nil)
	expect.NoError(t, err)
	for _, r := range readings {
		if math.IsNaN(r.Score) || math.IsInf(r.Score, 0) {
			t.Errorf("the score is %v of\n%s", r.Score, r.Plan)
		}
	}
}
