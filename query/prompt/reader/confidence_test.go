package reader_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/reader"
)

// A reading that is surely right has no alternatives, and one that is probably wrong has at least one.
func TestUnsureReadingsHaveAlternatives(t *testing.T) {
	p := reader.New(prompttest.Lexicon(), nil)
	for text, want := range map[string]prompt.Confidence{
		"nurses in Berlin who are not managers": prompt.High, "https://social.example/in/jane-doe": prompt.High,
		"interim CEOs between 2019 and 2021": prompt.Low,
	} {
		plan, err := p.Plan(t.Context(), kith.Operator(), text, prompt.Auto)
		expect.NoError(t, err)
		if plan.Confidence != want {
			t.Errorf("%s: confidence %s (%.2f), want %s", text, plan.Confidence, plan.Probability, want)
		}
		if isSure := want == prompt.High; isSure != (len(plan.Alternatives) == 0) {
			t.Errorf("%s: confidence %s and %d alternatives", text, want, len(plan.Alternatives))
		}
	}
}

// Whatever the words, a question has an answer that asks for something else, and the number of readings is bounded.
func TestQuestionsHaveAnswers(t *testing.T) {
	p := reader.New(prompttest.Lexicon(), nil)
	levels := map[prompt.Confidence]int{}
	for _, text := range strings.Split("xyzzy plugh|kind of a mentor type|Anja Holm Åkesson|die im Norden|no one at "+
		"all|fadistas|"+
		"ojeadores de fútbol en Uruguay|contacts I haven't spoken to since last winter|chefs in Nice|sales", "|") {
		plan, err := p.Plan(t.Context(), kith.Operator(), text, prompt.Auto)
		expect.NoError(t, err)
		levels[plan.Confidence]++
		if plan.Probability < 0 || plan.Probability > 1 || len(plan.Alternatives) > prompt.MaxAlternatives ||
			plan.Confidence == prompt.Low && len(plan.Alternatives) == 0 {
			t.Errorf("%s: %s (%.2f), alternatives %+v", text, plan.Confidence, plan.Probability, plan.Alternatives)
		}
		for _, a := range plan.Alternatives {
			if a.Plan.Asks() == plan.Asks() || a.Says == "" {
				t.Errorf("%s: reading %d is the same: %s", text, a.Reading, a.Says)
			}
		}
	}
	if levels[prompt.Low] == 0 {
		t.Errorf("no prompt is doubtful: %v", levels)
	}
}

// The file of the confidence has a weight for each piece of evidence, within the bounds that a fit gives, and more
// agreement of the readers never lowers the probability. A fit that breaks this was run on the wrong data.
func TestConfidenceFileIsThatOfAFit(t *testing.T) {
	text, err := os.ReadFile("confidence.tsv")
	expect.NoError(t, err)
	weights, names := map[string]float64{}, []string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			w, err := strconv.ParseFloat(value, 64)
			expect.NoError(t, err)
			weights[name] = w
			if name != "high" && name != "middle" {
				names = append(names, name)
			}
		}
	}
	c, err := reader.New(prompttest.Lexicon(), nil).Choose(t.Context(), kith.Operator(), "nurses", prompt.Auto)
	expect.NoError(t, err)
	var evidence []string
	for name := range c.Evidence {
		evidence = append(evidence, name)
	}
	slices.Sort(evidence)
	if !slices.Equal(names, evidence) {
		t.Errorf("the file has weights of %q, and the evidence is %q", names, evidence)
	}
	if high, middle := weights["high"], weights["middle"]; high <= middle || high >= 1 || middle <= 0 {
		t.Errorf("high begins at %v, middle at %v", high, middle)
	}
	for name, sign := range map[string]float64{
		"agree": 1, "tagger_logp": 1, "ahead_grammar": -1, "ahead_lookup": -1,
	} {
		if w := sign * weights[name]; w <= 0 || w > 3 {
			t.Errorf("%s has the weight %v", name, weights[name])
		}
	}
}
