package lexicon

import (
	"kith/index/analysis"
	"kith/query/prompt/phrase"
)

// fillerPrior is how likely a word that may say nothing does.
const fillerPrior = 5

// readGrammar reads the words for judgements, for anybody, for any company, and
// those that say nothing. A phrase is likelier than the words that it is made of.
func (l *Lexicon) readGrammar() {
	for _, r := range rows("judgements.tsv") {
		l.addPhrases(&Sense{Type: Judgement, Name: r.column(0)}, 7, r.forms(1)...)
	}
	for _, r := range rows("words.tsv") {
		l.addPhrases(&Sense{Type: Type(r.column(0)), Name: r.column(0)}, 6, r.forms(1)...)
	}
	fillers := map[string]*Sense{}
	for name, text := range phrase.Table(table("fillers.txt")) {
		if fillers[name] == nil {
			fillers[name] = &Sense{Type: Filler, Name: name}
		}
		l.addPhrases(fillers[name], fillerPrior, formOf(text))
	}
}

// addPhrases adds what means one thing, and how likely a single word does.
func (l *Lexicon) addPhrases(s *Sense, prior float64, forms ...form) {
	for _, f := range forms {
		words := len(analysis.Tokens(f.text))
		l.add(f.text, s, weakened(prior, f)+0.5*float64(words-1), f.needsCue)
	}
}
