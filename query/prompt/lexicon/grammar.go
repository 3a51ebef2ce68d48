package lexicon

import (
	_ "embed"

	"kith/query/prompt/phrase"
	"kith/query/tokenizer"
)

//go:embed data/fillers.txt
var fillerPhrases string

// fillerPrior is the prior of a word that may be a filler.
const fillerPrior = 5

// readGrammar reads judgements, words for people and companies, and fillers. A phrase is likelier
// than its single words.
func (l *Lexicon) readGrammar() {
	for _, r := range rows("judgements.tsv") {
		l.addPhrases(&Sense{Type: Judgement, Name: r.column(0)}, 7, r.forms(1)...)
	}
	for _, r := range rows("words.tsv") {
		l.addPhrases(&Sense{Type: Type(r.column(0)), Name: r.column(0)}, 6, r.forms(1)...)
	}
	fillers := map[string]*Sense{}
	for name, text := range phrase.Table(fillerPhrases) {
		if fillers[name] == nil {
			fillers[name] = &Sense{Type: Filler, Name: name}
		}
		l.addPhrases(fillers[name], fillerPrior, formOf(text))
	}
}

// addPhrases adds the forms of one sense; prior is that of a single word.
func (l *Lexicon) addPhrases(s *Sense, prior float64, forms ...form) {
	for _, f := range forms {
		words := len(tokenizer.Tokens(f.text))
		l.add(f.text, s, weakened(prior, f)+0.5*float64(words-1), f.needsCue)
	}
}
