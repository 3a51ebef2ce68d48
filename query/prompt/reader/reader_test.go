package reader_test

import (
	"testing"
	"time"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/reader"
)

// Each reader reads what it is better at. Whoever reads, the resolver gives the values.
func TestOneReadingIsChosen(t *testing.T) {
	today := func() time.Time { return time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC) }
	p := reader.New(prompttest.Lexicon(), nil).At(today)
	for _, c := range []struct {
		prompt string
		reader prompt.Reader
		asks   string
	}{
		{"nurses in Berlin who are not managers", prompt.ByGrammar, "city: Berlin"},
		{"Jane Doe", prompt.ByGrammar, "name: Jane Doe"},
		{
			"Our podcast (about 4,000 listeners, mostly in Scotland) has an episode coming up on rewilding, so I'm " +
				"after " +
				"ecologists and gamekeepers who live in the Cairngorms or in Perthshire and who don't work for " +
				"NatureScot.",
			prompt.ByTagger, "company: -NatureScot",
		},
		// the grammar reads all words, but takes it for a function
		{
			"I want a warm introduction to Jane Doe at Acme, who could make it?", prompt.ByTagger,
			"network: introducers of step 1",
		},
	} {
		plan, err := p.Plan(t.Context(), kith.Operator(), c.prompt, prompt.Auto)
		expect.NoError(t, err)
		if plan.Reader != c.reader {
			t.Errorf("%s: read by the %s, want the %s\n%s", c.prompt, plan.Reader, c.reader, plan)
		}
		expect.Parts(t, c.prompt, plan.String(), c.asks)
	}
}
