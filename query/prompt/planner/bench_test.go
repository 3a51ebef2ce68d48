package planner_test

import (
	"testing"

	"kith/query/prompt"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

// BenchmarkPlan plans a prompt of 25 words without the look-up of its words.
func BenchmarkPlan(b *testing.B) {
	p, err := planner.New(prompttest.Lexicon(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Plan(b.Context(), "senior backend engineers in Berlin or Munich who used to work at Google or Stripe "+
			"with at least 5 years of experience and know Go or Rust", prompt.Auto); err != nil {
			b.Fatal(err)
		}
	}
}
