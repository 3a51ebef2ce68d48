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

// readWeights reads a feature and its weight from each line of a file.
func readWeights(file, text string) map[string]float64 {
	weights := map[string]float64{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(name, "#") {
			continue
		}
		w, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil {
			panic(fmt.Sprintf("reader: %s: %q must be a feature, a tab and a number", file, line))
		}
		weights[name] = w
	}
	return weights
}

const (
	// leastLogP bounds the logarithm of a probability, and mostMargin the distance in score: beyond, they mean the
	// same.
	leastLogP, mostMargin = -30, 5
)

// The lines of choice.tsv that are no weights. Where the grammar has read all words, the weighted sum must exceed
// surely_better, and the logarithm of the probability of the tagger's marks sure_logp: the grammar reads such words the
// same in another order or case, and prompts that ask for the same are to have the same plan.
const surelyBetter, sureLogP = "surely_better", "sure_logp"

// prefers reports whether the tagger's reading is more probably right than the grammar's.
func (p *Planner) prefers(features map[string]float64) bool {
	sum := weighted(features, p.weights)
	if features["skipped"]+features["unknown"]+features["ignored_grammar"]+features["asides"] > 0 {
		return sum > 0
	}
	return sum > p.weights[surelyBetter] && features["tagger_logp"] > p.weights[sureLogP]
}

// comparison is what the tagger thinks of the marks of both readers.
type comparison struct {
	// own is the logarithm of the probability of the tagger's marks, of which there are marks; ahead is how far that of
	// the grammar's is below it.
	own, ahead float64
	marks      int
	words      float64 // of the prompt, at least one
}

func compare(read *tagger.Reading, f frame.Frame, grammar planner.Reading) comparison {
	logP := func(marks []frame.Mark) float64 { return max(read.Score(marks), leastLogP) }
	own := logP(f.Marks)
	return comparison{
		own: own, ahead: own - logP(grammar.Frame.Marks), marks: len(f.Marks),
		words: float64(max(len(strings.Fields(f.Prompt)), 1)),
	}
}

// logAhead is the logarithm of how far the tagger's marks are ahead; 0 if they are not.
func (c comparison) logAhead() float64 { return math.Log1p(max(c.ahead, 0)) }

// features describe the two readings of a prompt, and what one of them asks for and the other does not.
func features(both comparison, tagged prompt.Plan, grammar planner.Reading) map[string]float64 {
	out := map[string]float64{
		"bias": 1, "tagger_logp": both.own,
		"logp_ahead": both.ahead, "log_logp_ahead": both.logAhead(),
		"ignored_grammar": ignored(grammar.Plan), "ignored_tagger": ignored(tagged),
		"skipped": skipped(grammar), "asides": grammar.Features["aside"], "unknown": unknown(grammar),
		"margin":    min(grammar.Margin(), mostMargin),
		"log_words": math.Log(both.words), "score_per_word": grammar.Score / both.words,
		"more_marks": float64(both.marks - len(grammar.Frame.Marks)),
		"lookup":     is(tagged.Mode == prompt.Lookup),
	}
	for _, kind := range grammar.Plan.Beyond(tagged) {
		out["grammar:"+kind]++
	}
	for _, kind := range tagged.Beyond(grammar.Plan) {
		out["tagger:"+kind]++
	}
	return out
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
