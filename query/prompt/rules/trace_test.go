package rules_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kith/index/analysis"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/rules"
)

// score is a score or a number of values as a trace prints it: these may change
// with every word that is added to the lists, the order less easily.
var score = regexp.MustCompile(`( and |\) |\()(-?\d+\.\d\b|\d+ more)`)

// TestTrace compares what a trace prints with the text on record, without the
// scores.
func TestTrace(t *testing.T) {
	vocabulary := prompttest.Of(map[analysis.Term]int{
		{Kind: prompt.Company, Text: "stripe"}: 900, {Kind: prompt.FirstName, Text: "jane"}: 40, {Kind: prompt.LastName, Text: "doe"}: 4,
	})
	r := rules.New(prompttest.Lexicon(), vocabulary)
	var got strings.Builder
	for _, text := range []string{"ex-Stripe engneers in Berlin with 5+ years", "Jane Doe at Strpie"} {
		trace, err := r.Trace(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString("> " + text + "\n" + score.ReplaceAllString(trace.String(), "$1…") + "\n")
	}
	file := filepath.Join("testdata", "trace.txt")
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(got.String()) != strings.TrimSpace(string(want)) {
		t.Errorf("%s says otherwise; got\n%s", file, got.String())
	}
}

// TestTraceChooses: what was chosen covers the prompt, in order, and is among the
// candidates.
func TestTraceChooses(t *testing.T) {
	r := rules.New(prompttest.Lexicon(), nil)
	for _, text := range []string{"", "?!", "engineers in Paris or Square", "jane@example.com", "\"VP of Engineering\" – 50-200 employees, München"} {
		trace, err := r.Trace(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, c := range trace.Chosen {
			if c.Span[0] < at || c.Span[1] <= c.Span[0] || !candidate(trace, c) {
				t.Errorf("%q: %v is no candidate, or stands before %d", text, c, at)
			}
			at = c.Span[1]
		}
		if n := len(trace.Tokens); n > 0 && at != trace.Tokens[n-1].Span[1] {
			t.Errorf("%q: what was chosen ends at %d", text, at)
		}
	}
}

func candidate(trace rules.Trace, chosen rules.Reading) bool {
	for _, s := range trace.Spans {
		for _, r := range s.Readings {
			if s.Span == chosen.Span && r.Type == chosen.Type && r.Name == chosen.Name {
				return true
			}
		}
	}
	return false
}
