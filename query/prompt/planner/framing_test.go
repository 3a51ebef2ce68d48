package planner_test

import (
	"testing"

	"kith"
	"kith/internal/expect"
	"kith/query/prompt"
	"kith/query/prompt/grammar"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

func TestTmpFrames(t *testing.T) {
	p := planner.New(prompttest.Lexicon(), nil)
	g, err := grammar.Load()
	expect.NoError(t, err)
	same := 0
	for _, e := range g.Examples {
		rs, err := p.Readings(t.Context(), kith.Operator(), e.Prompt, 1)
		expect.NoError(t, err)
		got, err := p.Resolve(t.Context(), kith.Operator(), rs[0].Frame, prompt.Auto)
		expect.NoError(t, err)
		if a, b := rs[0].Plan.String(), got.String(); a != b {
			t.Logf("%s\n%s\n--- frame\n%s", rs[0].Frame, a, b)
		} else {
			same++
		}
	}
	t.Logf("same %d of %d", same, len(g.Examples))
}
