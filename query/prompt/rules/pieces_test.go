package rules_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// TestPieces plans pieces of the golden prompts put together anew: what holds of
// every plan holds of messages of several sentences, too, whatever stands first or
// last in them.
func TestPieces(t *testing.T) {
	planner, prompts := newPlanner(t), goldenPrompts(t)
	joins := []string{". ", ". ", ", ", ": ", " - ", "; ", " (", "\n", " ", " and ", "? ", "\n- "}
	random := rand.New(rand.NewPCG(1, 2))
	piece := func() string {
		words := strings.Fields(prompts[random.IntN(len(prompts))])
		from := random.IntN(len(words)) * random.IntN(2)
		return strings.Join(words[from:from+1+random.IntN(len(words)-from)], " ")
	}
	for range 4000 {
		text := piece()
		for range 1 + random.IntN(3) {
			text += joins[random.IntN(len(joins))] + piece()
		}
		checkPlan(t, text, planned(t, planner, text))
	}
}

// goldenPrompts are the prompts that have a golden plan.
func goldenPrompts(t *testing.T) (prompts []string) {
	t.Helper()
	for _, file := range goldenFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if prompt, ok := strings.CutPrefix(line, "> "); ok && strings.TrimSpace(prompt) != "" {
				prompts = append(prompts, strings.TrimSpace(prompt))
			}
		}
	}
	return prompts
}
