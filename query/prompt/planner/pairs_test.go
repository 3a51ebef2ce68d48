package planner_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query"
	"kith/query/prompt"
)

// alike is the share of pairs that must have the same plan.
const alike = 0.94

// Each pair asks for the same people in two ways. Some are written by hand in a file of two prompts
// and a kind per line; others are golden prompts in lower case or with polite words.
func TestRephrasedPromptsHaveTheSamePlan(t *testing.T) {
	p := newPlanner(t)
	same, all := map[string]int{}, map[string]int{}
	for _, pair := range append(writtenPairs(t), madePairs(t)...) {
		a, b := asks(planned(t, p, pair.a), pair.kind), asks(planned(t, p, pair.b), pair.kind)
		all[pair.kind]++
		if slices.Equal(a, b) {
			same[pair.kind]++
		} else if testing.Verbose() {
			t.Logf("%s: %q\n\t%s\n%q\n\t%s", pair.kind, pair.a, strings.Join(a, "\n\t"), pair.b, strings.Join(b,
				"\n\t"))
		}
	}
	total, right := 0, 0
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%-10s %d of %d", kind, same[kind], all[kind])
		total, right = total+all[kind], right+same[kind]
	}
	if total < 400 || float64(right) < alike*float64(total) {
		t.Errorf("%d of %d pairs have the same plan, want at least %v", right, total, alike)
	}
}

type pair struct{ a, b, kind string }

func writtenPairs(t *testing.T) (pairs []pair) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", "pairs.tsv"))
	expect.NoError(t, err)
	for line := range strings.Lines(string(file)) {
		if cells := strings.Split(strings.TrimSpace(line), "\t"); len(cells) == 3 {
			pairs = append(pairs, pair{cells[0], cells[1], cells[2]})
		}
	}
	return pairs
}

// madePairs pairs golden prompts in English with the same in lower case or with polite words.
func madePairs(t *testing.T) (pairs []pair) {
	t.Helper()
	for _, file := range goldenFiles(t, "golden") {
		if name := filepath.Base(file); name == "hostile.txt" || name == "languages.txt" || name == "messages.txt" {
			continue
		}
		text, err := os.ReadFile(file)
		expect.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
			if !ok {
				continue
			}
			if len(pairs)%2 == 0 {
				pairs = append(pairs, pair{text, strings.ToLower(text), "lower"})
			} else {
				pairs = append(pairs, pair{text, "Hi! " + text + ", thank you so much", "polite"})
			}
		}
	}
	return pairs
}

// asks returns what a plan asks for, without the words of the prompt. Pairs of a known and an
// unknown company are compared without their companies.
func asks(plan prompt.Plan, kind string) (lines []string) {
	for _, f := range plan.Filters {
		values := strings.Split(strings.ToLower(f.Value), ", ")
		if kind == "unknown" && strings.HasSuffix(strings.ToLower(string(f.Name)), string(query.FilterCompany)) {
			values = []string{fmt.Sprint(f.Excluded)}
		}
		slices.Sort(values)
		lines = append(lines, string(f.Name)+": "+strings.Join(values, ", "))
	}
	for _, c := range plan.Conditions {
		lines = append(lines, "condition: "+strings.ToLower(c.Says))
	}
	for _, s := range plan.Steps {
		lines = append(lines, "step: "+strings.ToLower(fmt.Sprint(s.Filters)))
	}
	for _, r := range plan.Relations {
		lines = append(lines, fmt.Sprint("relation: ", r.Kind, r.Step, r.Excluded))
	}
	if n := plan.Network; n != nil {
		lines = append(lines, fmt.Sprint("network: ", n.Degrees, n.Order, n.IntroducersOf != nil, n.LastContact != nil))
	}
	for _, c := range plan.Criteria {
		lines = append(lines, "criterion: "+c.Name)
	}
	slices.Sort(lines)
	return lines
}
