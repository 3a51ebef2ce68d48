package rules_test

import (
	"testing"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules"
)

// A prompt of 25 words.
const benchmarked = "senior backend engineers in Berlin or Munich who know Kubernetes and used to work at Stripe, " +
	"now at fintechs with fewer than 200 employees and funding"

// BenchmarkPlan plans without a look-up: what is left is the planner's own work.
func BenchmarkPlan(b *testing.B) {
	planner := rules.New(lexicon.New(), nil).At(today)
	for _, text := range []struct{ name, prompt string }{
		{"4 words", "cto fintech berlin startup"},
		{"25 words", benchmarked},
		{"25 words misspelt", "senoir backed enginers in Berln or Munch who kno Kuberntes and usd to wrk at Strpe, " +
			"nw at fintecs wit fewr than 200 emploees and fundng"},
	} {
		b.Run(text.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := planner.Plan(b.Context(), text.prompt, prompt.Auto); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
