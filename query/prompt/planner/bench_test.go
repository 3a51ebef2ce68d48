package planner_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kith/query/prompt"
)

// usual is a prompt of 25 words.
const usual = "I am looking for senior backend engineers or data scientists in Berlin with at least five years of experience " +
	"who worked at Zalando before and speak German"

func BenchmarkPlan(b *testing.B) {
	for name, text := range map[string]string{
		"usual": usual, "misspelt": misspelt(1000), "unknown": unknown(1000), "foreign": strings.Repeat(
			"Ingenieure, die früher bei Siemens gearbeitet haben und jetzt in München wohnen, aber nicht bei BMW ", 10),
	} {
		b.Run(name, func(b *testing.B) {
			p := newPlanner(b)
			for b.Loop() {
				if _, err := p.Plan(b.Context(), text, prompt.Auto); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// misspelt is a prompt of misspelt words, as long as one may be.
func misspelt(length int) string {
	words := strings.Fields("enginers acountants managment consultnats registred nurses Pheonix experiance sofware archetects Seatle")
	return strings.TrimSpace(strings.Repeat(strings.Join(words, " ")+" ", length/80))[:length]
}

// unknown is a prompt of words that are none.
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
