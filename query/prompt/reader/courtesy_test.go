package reader_test

import (
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/reader"
)

// Courtesy changes nothing but the place of the words, which are counted in the whole prompt.
func TestCourtesyAsksForNothing(t *testing.T) {
	p := reader.New(prompttest.Lexicon(), nil)
	plan := func(text string) prompt.Plan {
		plan, err := p.Plan(t.Context(), kith.Operator(), text, prompt.Auto)
		expect.NoError(t, err)
		return plan
	}
	const plain = "nurses in Zürich"
	want := plan(plain).Asks()
	for _, courteous := range []string{
		"Hi there, could you please find me nurses in Zürich? Thanks!", "hey, nurses in Zürich pls",
		"Dear team, I would like to see nurses in Zürich. Kind regards",
		"We're looking for nurses in Zürich, thank you",
	} {
		got := plan(courteous)
		if got.Asks() != want {
			t.Errorf("%s asks for\n%s, want\n%s", courteous, got.Asks(), want)
		}
		runes := []rune(courteous)
		for _, f := range got.Filters {
			if said := string(runes[f.Span[0]:f.Span[1]]); said != f.Text {
				t.Errorf("%s: the words %q are said to be %q", courteous, f.Text, said)
			}
		}
	}
	for _, text := range []string{"please", "Thanks!", "I want to talk to nurses", "people who can find me nurses"} {
		if plan(text).Asks() == "" {
			t.Errorf("%s asks for nothing", text)
		}
	}
}
