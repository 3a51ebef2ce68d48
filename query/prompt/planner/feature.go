package planner

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"kith/query/prompt/grammar"
)

//go:embed data/weights.tsv
var weightsFile embed.FS

// feature is one property of a derivation and how much of it there is.
type feature struct {
	id int
	v  float64
}

// The features that the code names itself. Those of rules, categories and pairs
// of phrases are named for what they belong to.
const (
	featClass           = iota // a word read as grammar
	featWords                  // words of a leaf beyond the first
	featEdit                   // edits of a correction
	featInflected              // a word in another form than a table has it
	featNeedsCue               // a word that mostly means something else
	featCapital                // a name with a capital, in a prompt that tells names by capitals
	featLower                  // a name without
	featNameKnown              // share of a person's name that the directory knows
	featNameOne                // a person's name of one word
	featNameFull               // a known first name before a known last name
	featNameLower              // a person's name without a capital where names have one
	featUnknownGrammar         // words of grammar within an unknown run
	featUnknownCovered         // words of an unknown run that mean something
	featWholeName              // an unknown name that is all of a run of capitals
	featSkipInside             // fillers inside a phrase
	featSkipFiller             // a filler
	featSkipMark               // punctuation between phrases
	featSkipClass              // a word of grammar that joins nothing
	featSkipContent            // a word with a meaning that was not used
	featSkipUnknown            // an unknown word
	featSkipName               // an unknown word with a capital
	featPhrase                 // a phrase of the prompt
	featTwoHomes               // a second place where the person must live
	featTwoTitles              // a second title that must be held now
	featTwoCompanies           // a second employer that must be the present one
	featNothing                // nothing is asked for
	featOnlyUnknown            // nothing but unknown words is asked for
	featGrammarWord            // a content reading of a word of grammar
	featNoPerson               // no phrase says who is looked for
	featKeywords               // text searches beyond the first
	featNetworkLost            // words that ask for the network, in a plan that does not
	featAside                  // a sentence about the asker
	featAsideWords             // content words of such a sentence
	featAsideFirst             // it begins with I, we, our, my
	featAsideAsks              // it has a word that asks
	featAsideWho               // it names a kind of person
	featAsideOnly              // it is the whole prompt
	featAsideClause            // it is a clause of a sentence
	featAsideReason            // it begins with because or so that
	featAsideAsked             // it asks nothing, other words of the prompt do
	featAsideBefore            // and it begins the prompt
	featSkipModifier           // a content or unknown word left out right before a person
	featSkipAfter              // a word left out right after a word of grammar that is left out
	featNameSaid               // words of a person's name that mean something and are no names
	featParticle               // particles within an unknown run
	featMadeTitle              // a title that no table has
	featCuedPlace              // a place that needs a cue, right after one
	featSplit                  // two neighbours that are one reading together
	featSkipNot                // a word that excludes what follows it
	featShort                  // a word that is short for another
	featUnknownNear            // a run as a name, where a word of the directory is near
	featContradicts            // values that are asked for and left out
	featNameCovered            // an unknown name of words that all mean something, where no capitals tell names
	featAsideInner             // an aside that begins within a clause, at a word such as who or and
	featAsideCut               // an aside that ends there
	featAsideLength            // the words of an aside
	featSkipRun                // a word left out right after one that is
	featAsideWithin            // the words with a meaning in one that begins or ends there
	featCorrectsNothing        // what is said in place of something else, without that
	featAsideEnclosed          // an aside in parentheses
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
		"aside_clause", "aside_reason", "aside_asked", "aside_before", "skip_modifier", "skip_after", "name_said", "particle",
		"made_title", "cued_place", "split",
		"skip_not", "short", "unknown_near", "contradicts", "name_covered", "aside_inner", "aside_cut", "aside_length",
		"skip_run", "aside_within", "corrects_nothing", "aside_enclosed",
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
func newWeights(g *grammar.Grammar) (*weights, error) {
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
	text, err := weightsFile.ReadFile("data/weights.tsv")
	if err != nil {
		return nil, fmt.Errorf("planner: %w", err)
	}
	return w, w.read(string(text))
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

// read reads name and weight from each line. A name that ends in * is the
// default of all features that begin so.
func (w *weights) read(text string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, _ := strings.Cut(line, "\t")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("planner: weights.tsv: %q must be a name, a tab and a number", line)
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
	return nil
}

// score is the weighted sum of features.
func (w *weights) score(fs []feature) (sum float64) {
	for _, f := range fs {
		sum += w.w[f.id] * f.v
	}
	return sum
}

// feat is the id of a feature by name, one that every weight file leaves at 0 where there is none.
func (p *Planner) feat(name string) int {
	if id, ok := p.weights.ids[name]; ok {
		return id
	}
	return featSkipMark
}
