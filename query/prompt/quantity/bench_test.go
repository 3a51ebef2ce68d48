package quantity_test

import (
	"testing"

	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
)

// BenchmarkRead reads a quantity at each word of prompts with and without numbers.
func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{
		"words": "senior backend engineers in Berlin or Munich who used to work at Google or Stripe and know Go or Rust",
		"numbers": "CFOs at companies with more than 50 but fewer than 200 employees, at least five years of experience, " +
			"since March 2022, between 2010 and 2015, in the last two years",
	} {
		b.Run(name, func(b *testing.B) {
			tokens := token.Split(text)
			b.ReportAllocs()
			for b.Loop() {
				for i := range tokens {
					quantity.Read(tokens[i:])
				}
			}
		})
	}
}
