package planner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/expect"
)

// example is a prompt with the parts of a plan that a rule must give.
type example struct{ rule, prompt, plan string }

// examples returns those of the grammar: lines below a rule such as ? "at Stripe" = company: Stripe.
func examples(t *testing.T) (out []example) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "grammar", "data", "*.rules"))
	expect.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		expect.NoError(t, err)
		rule := ""
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "rule "); ok {
				rule = strings.TrimSpace(name)
			}
			asked, ok := strings.CutPrefix(strings.TrimSpace(line), "? ")
			if !ok {
				continue
			}
			prompt, plan, ok := strings.Cut(strings.TrimPrefix(asked, `"`), `" = `)
			if !ok {
				t.Fatalf(`%s: an example must read ? "prompt" = plan (got %s)`, file, asked)
			}
			out = append(out, example{rule, prompt, strings.TrimSpace(plan)})
		}
	}
	if len(out) == 0 {
		t.Fatal("the rules have no examples")
	}
	return out
}
