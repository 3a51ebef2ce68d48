package reader

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/planner"
)

//go:embed confidence.tsv
var confidenceFile string

// The lines of confidence.tsv that are no weights: the lowest probability of a reading with high confidence, and that
// of one without low confidence.
const (
	leastHigh   = "high"
	leastMiddle = "middle"
)

// confidence returns the probability that the chosen reading is right, and its level. A reading without evidence is
// surely right.
func (p *Planner) confidence(evidence map[string]float64) (float64, prompt.Confidence) {
	if evidence == nil {
		return 1, prompt.High
	}
	probability := 1 / (1 + math.Exp(-weighted(evidence, p.sureness)))
	switch {
	case probability >= p.sureness[leastHigh]:
		return probability, prompt.High
	case probability >= p.sureness[leastMiddle]:
		return probability, prompt.Middle
	}
	return probability, prompt.Low
}

// weighted returns the weighted sum of features, added in the order of their names: the same for the same prompt.
func weighted(features, weights map[string]float64) (sum float64) {
	for _, name := range slices.Sorted(maps.Keys(features)) {
		sum += weights[name] * features[name]
	}
	return sum
}

// sameMarks is the largest difference in log-probability of readings that mark the same.
const sameMarks = 0.01

// Reasons lists what the confidence in a choice comes from: evidence with value and weight, largest contribution first.
func (p *Planner) Reasons(c Choice) (out []string) {
	part := func(name string) float64 { return math.Abs(c.Evidence[name] * p.sureness[name]) }
	names := slices.SortedFunc(maps.Keys(c.Evidence), func(a, b string) int {
		return cmp.Or(cmp.Compare(part(b), part(a)), cmp.Compare(a, b))
	})
	for _, name := range names {
		if c.Evidence[name] != 0 {
			out = append(out, fmt.Sprintf("%s %.2f × %.2f", name, c.Evidence[name], p.sureness[name]))
		}
	}
	return out
}

// Probabilities returns the probability that the tagger gives to all marks of a frame together, and to each of them.
func (p *Planner) Probabilities(f frame.Frame) (all float64, each []float64) {
	read := p.tagger.Read(f.Prompt)
	for _, m := range f.Marks {
		each = append(each, math.Exp(read.LogP(m)))
	}
	return math.Exp(read.Score(f.Marks)), each
}

// hasIdentifier reports whether a plan asks for one person by an address or a profile.
func hasIdentifier(plan prompt.Plan) bool {
	return slices.ContainsFunc(plan.Filters, func(f prompt.Filter) bool {
		return f.Name == query.FilterEmail || f.Name == query.FilterSocialURL || f.Name == query.FilterSocialID
	})
}

// evidence describes how the chosen reading came about. The tagger's plan is compared if it was made, else its marks.
// An address or a profile needs none.
func evidence(c Choice, grammar planner.Reading, both comparison) map[string]float64 {
	if hasIdentifier(c.Grammar) {
		return nil
	}
	ahead := both.logAhead()
	agree := both.marks > 0 && both.ahead < sameMarks
	if c.Features != nil {
		agree = c.Tagged.Asks() == c.Grammar.Asks()
	}
	return map[string]float64{
		"bias": 1, "tagger": is(c.Tagger), "agree": is(agree),
		"log_words": math.Log(both.words), "score_per_word": grammar.Score / both.words, "tagger_logp": both.own,
		"ahead_grammar": ahead * is(!c.Tagger), "ahead_tagger": ahead * is(c.Tagger),
		"ahead_lookup": ahead * is(c.Grammar.Mode == prompt.Lookup), "skipped": skipped(grammar),
		"notes": is(len(c.Grammar.Notes) > 0), "conditions": is(len(c.Grammar.Conditions) > 0),
		"network": is(c.Grammar.Network != nil), "foreign": is(grammar.IsForeign()),
		"unknown": unknown(grammar), "ignored": ignored(c.Plan()),
	}
}
