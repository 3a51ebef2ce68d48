package planner

import (
	"fmt"
	"strconv"
	"strings"

	"kith/query/prompt/grammar"
	"kith/query/wordlist"
)

// feature is a property of a derivation with its amount.
type feature struct {
	id int
	v  float64
}

// The features named in code. Those of rules, categories and pairs of phrases are named after them.
const (
	featClass           = iota // a word read as grammar
	featWords                  // words of a leaf beyond the first
	featEdit                   // edits of a correction
	featInflected              // a word inflected differently from the tables
	featNeedsCue               // a word that mostly means something else
	featCapital                // a name with a capital, in a prompt whose capitals mark names
	featLower                  // a name without a capital, in such a prompt
	featNameKnown              // share of a person's name that the dataset knows
	featNameOne                // a person's name of one word
	featNameFull               // a known first name before a known last name
	featNameLower              // a person's name without a capital, in a prompt whose capitals mark names
	featUnknownGrammar         // grammar words within an unknown run
	featUnknownCovered         // words of an unknown run that have a meaning
	featWholeName              // an unknown name that is a whole run of capitalised words
	featSkipInside             // a filler inside a phrase
	featSkipFiller             // a filler
	featSkipMark               // punctuation between phrases
	featSkipClass              // a grammar word that joins nothing
	featSkipContent            // a word with a meaning that was not used
	featSkipUnknown            // an unknown word
	featSkipName               // an unknown word with a capital
	featPhrase                 // a phrase of the prompt
	featTwoHomes               // a second place where the person must live
	featTwoTitles              // a second title that must be held now
	featTwoCompanies           // a second employer that must be the current one
	featNothing                // no condition at all
	featOnlyUnknown            // only unknown words
	featGrammarWord            // a content reading of a grammar word
	featNoPerson               // no phrase for the people to find
	featKeywords               // text searches beyond the first
	featNetworkLost            // words about the network, in a plan without it
	featAside                  // a sentence or clause about the asker: an aside
	featAsideWords             // content words of an aside
	featAsideFirst             // the aside begins with I, we, our, my
	featAsideAsks              // the aside has a word that asks
	featAsideWho               // the aside names a kind of person
	featAsideOnly              // the aside is the whole prompt
	featAsideClause            // the aside is a clause of a sentence
	featAsideReason            // the aside begins with because or so that
	featAsideAsked             // the aside asks for nothing, other words of the prompt do
	featAsideBefore            // such an aside at the start of the prompt
	featSkipModifier           // a skipped content or unknown word right before a person
	featSkipAfter              // a skipped word right after a skipped grammar word
	featNameSaid               // words of a person's name that have a meaning and are not names
	featParticle               // particles within an unknown run
	featMadeTitle              // a title in no table
	featCuedPlace              // a place that needs a cue, right after one
	featSplit                  // two adjacent leaves that together have one reading
	featSkipNot                // a word that excludes the following ones
	featShort                  // an abbreviation
	featUnknownNear            // a run read as a name, near a word of the dataset
	featContradicts            // values that are both required and excluded
	featNameCovered            // an unknown name whose words all have a meaning, without capitals that mark names
	featAsideInner             // an aside that begins within a clause, at a word such as who or and
	featAsideCut               // an aside that ends within a clause
	featAsideLength            // number of words in an aside
	featSkipRun                // a skipped word right after another
	featAsideWithin            // words with a meaning in an aside that begins or ends within a clause
	featCorrectsNothing        // a correction by the asker that replaces nothing
	featAsideEnclosed          // an aside in parentheses
	featTagLeaf                // log-probability of a tagger that words are of the kind of their reading
	featTagClass               // the same of words read as grammar
	featTagSkip                // the same of skipped words
	featTagOnly                // a reading that only a tagger has
	fixedFeatures
)

func fixedNames() []string {
	return []string{
		"class", "words", "edit", "inflected", "needs_cue", "capital", "lower", "name_known", "name_one", "name_full",
		"name_lower",
		"unknown_grammar", "unknown_covered", "whole_name",
		"skip_inside", "skip_filler", "skip_mark", "skip_class", "skip_content", "skip_unknown", "skip_name", "phrase",
		"two_homes", "two_titles", "two_companies", "nothing", "only_unknown",
		"grammar_word", "no_person", "keywords", "network_lost",
		"aside", "aside_words", "aside_first", "aside_asks", "aside_who", "aside_only",
		"aside_clause", "aside_reason", "aside_asked", "aside_before", "skip_modifier", "skip_after", "name_said",
		"particle", "made_title", "cued_place", "split",
		"skip_not", "short", "unknown_near", "contradicts", "name_covered", "aside_inner", "aside_cut", "aside_length",
		"skip_run", "aside_within", "corrects_nothing", "aside_enclosed",
		"tag_leaf", "tag_class", "tag_skip", "tag_only",
	}
}

// weights scores features. It is read-only.
type weights struct {
	ids   map[string]int
	names []string
	w     []float64
	rules map[*grammar.Rule]int
	pairs map[[2]grammar.Symbol]int
}

// newWeights registers every feature of a grammar and reads the file.
func newWeights(g *grammar.Grammar) *weights {
	w := &weights{ids: map[string]int{}, rules: map[*grammar.Rule]int{}, pairs: map[[2]grammar.Symbol]int{}}
	for _, n := range fixedNames() {
		w.id(n)
	}
	for s := range grammar.Symbol(g.Len()) {
		for _, prefix := range []string{"leaf:", "prior:", "known:", "people:"} {
			if name := g.Name(s); name[0] != '"' {
				w.id(prefix + name)
			}
		}
	}
	for _, a := range contested() {
		w.id("lost:" + a)
		for _, b := range contested() {
			w.id("over:" + a + ">" + b)
		}
	}
	for _, r := range g.Rules {
		w.rules[r] = w.id("rule:" + r.ID)
	}
	g.Tops[grammar.None] = true
	for a := range g.Tops {
		for b := range g.Tops {
			w.pairs[[2]grammar.Symbol{a, b}] = w.id("pair:" + topName(g, a) + ">" + topName(g, b))
		}
	}
	delete(g.Tops, grammar.None)
	w.read()
	return w
}

func topName(g *grammar.Grammar, s grammar.Symbol) string {
	if s == grammar.None {
		return "_"
	}
	return g.Name(s)
}

func (w *weights) id(name string) int {
	if id, ok := w.ids[name]; ok {
		return id
	}
	id := len(w.names)
	w.ids[name] = id
	w.names, w.w = append(w.names, name), append(w.w, 0)
	return id
}

// read reads a name and a weight from each line. A name that ends in * is the default for all
// features with that prefix.
func (w *weights) read() {
	for _, line := range wordlist.Lines(tables, "weights.tsv") {
		name, value, _ := strings.Cut(line, "\t")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			panic(fmt.Sprintf("planner: weights.tsv: %q must be a name, a tab and a number", line))
		}
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			for id, n := range w.names {
				if strings.HasPrefix(n, prefix) {
					w.w[id] = v
				}
			}
		} else if id, ok := w.ids[name]; ok {
			w.w[id] = v
		}
	}
}

// score returns the weighted sum of features.
func (w *weights) score(fs []feature) (sum float64) {
	for _, f := range fs {
		sum += w.w[f.id] * f.v
	}
	return sum
}

// feat returns the id of a named feature. For unknown names it returns one that every weight file leaves at 0.
func (p *Planner) feat(name string) int {
	if id, ok := p.weights.ids[name]; ok {
		return id
	}
	return featSkipMark
}
