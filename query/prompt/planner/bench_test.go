package planner_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

// BenchmarkPlan plans a prompt of 25 words, without looking up its words.
func BenchmarkPlan(b *testing.B) {
	p := planner.New(prompttest.Lexicon(), nil)
	const text = "senior backend engineers in Berlin or Munich who used to work at Google or Stripe " +
		"with at least 5 years of experience and know Go or Rust"
	for b.Loop() {
		if _, err := p.Plan(b.Context(), kith.Operator(), text, prompt.Auto); err != nil {
			b.Fatal(err)
		}
	}
}

// worst returns the longest prompts: of unknown words, and lists.
func worst() map[string]string {
	const misspelt = "enginers acountants managment consultnats registred nurses Pheonix experiance sofware " +
		"archetects Seatle "
	const titles = "software engineers, product managers or data scientists, head of sales, nurses, chefs and " +
		"teachers, "
	return map[string]string{
		"misspelt": strings.Repeat(misspelt, 10)[:1000], "unknown": unknown(1000),
		"titles": strings.Repeat(titles, 11)[:1000],
	}
}

// BenchmarkWorst plans the longest prompts.
func BenchmarkWorst(b *testing.B) {
	for name, text := range worst() {
		b.Run(name, func(b *testing.B) {
			p := newPlanner(b)
			for b.Loop() {
				if _, err := p.Plan(b.Context(), kith.Operator(), text, prompt.Auto); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// unknown is a prompt of random letters.
func unknown(length int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for text.Len() < length {
		for range 4 + random.IntN(6) {
			text.WriteByte(byte('a' + random.IntN(26)))
		}
		text.WriteByte(' ')
	}
	return text.String()[:length]
}
