package reader

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/planner"
	"kith/query/prompt/reader/tagger"
)

//go:embed choice.tsv
var choiceFile string

// readWeights reads a feature and its weight from each line.
func readWeights(text string) (map[string]float64, error) {
	weights := map[string]float64{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(name, "#") {
			continue
		}
		w, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("reader: choice.tsv: %q must be a feature, a tab and a number", line)
		}
		weights[name] = w
	}
	return weights, nil
}

const (
	// leastLogP bounds the logarithm of a probability, and mostMargin the distance in score: beyond, they mean the same.
	leastLogP, mostMargin = -30, 5
)

// leavesRest reports whether the grammar did not read all words. What it reads without a rest it reads the same in all
// wordings, so its reading stands.
func leavesRest(grammar planner.Reading) bool {
	return skipped(grammar)+unknown(grammar)+ignored(grammar.Plan)+grammar.Features["aside"] > 0
}

// prefers reports whether the tagger's reading is more probably right than the grammar's.
func (p *Planner) prefers(features map[string]float64) bool {
	sum := 0.0
	for name, v := range features {
		sum += p.weights[name] * v
	}
	return sum > 0
}

// features describe the two readings of a prompt.
func features(
	read *tagger.Reading, f frame.Frame, tagged prompt.Plan, grammar planner.Reading,
) map[string]float64 {
	logP := func(marks []frame.Mark) float64 { return max(read.Score(marks), leastLogP) }
	own := logP(f.Marks)
	ahead := own - logP(grammar.Frame.Marks)
	words := float64(max(len(strings.Fields(f.Prompt)), 1))
	return map[string]float64{
		"bias": 1, "tagger_logp": own, "logp_ahead": ahead, "log_logp_ahead": math.Log1p(max(ahead, 0)),
		"ignored_grammar": ignored(grammar.Plan), "ignored_tagger": ignored(tagged),
		"skipped": skipped(grammar), "asides": grammar.Features["aside"], "unknown": unknown(grammar),
		"margin":    margin(grammar),
		"log_words": math.Log(words), "score_per_word": grammar.Score / words,
		"more_marks": float64(len(f.Marks) - len(grammar.Frame.Marks)),
		"lookup":     is(tagged.Mode == prompt.Lookup),
	}
}

// margin returns how far the grammar's reading is ahead of its next one.
func margin(grammar planner.Reading) float64 {
	if ahead, ok := grammar.Margin(); ok {
		return min(ahead, mostMargin)
	}
	return mostMargin
}

// skipped returns the number of words that the grammar has skipped, and that are more than fillers.
func skipped(grammar planner.Reading) (n float64) {
	for _, name := range []string{"skip_unknown", "skip_content", "skip_name", "skip_class", "skip_not"} {
		n += grammar.Features[name]
	}
	return n
}

// unknown returns the number of runs of words that the grammar has taken for a name or a topic that nobody knows.
func unknown(grammar planner.Reading) float64 {
	return grammar.Features["leaf:UnknownName"] + grammar.Features["leaf:UnknownWords"]
}

// ignored returns the number of words that a plan ignores.
func ignored(plan prompt.Plan) float64 {
	return float64(len(strings.Fields(strings.Join(plan.Ignored, " "))))
}

func is(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
