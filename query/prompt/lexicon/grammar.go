package lexicon

import "kith/index/analysis"

// fillerPrior is how likely a word that may say nothing does.
const fillerPrior = 5

// readGrammar reads the words for judgements, for anybody, for any company, and
// those that say nothing. A phrase is likelier than the words that it is made of.
func (l *Lexicon) readGrammar() {
	for _, table := range []struct {
		file  string
		kind  Type // "" where the first column says it
		prior float64
	}{
		{"judgements.tsv", Judgement, 7}, {"words.tsv", "", 6}, {"fillers.tsv", Filler, fillerPrior},
	} {
		for _, r := range rows(table.file) {
			s := &Sense{Type: table.kind, Name: r.column(0)}
			if s.Type == "" {
				s.Type = Type(s.Name)
			}
			for _, f := range r.forms(1) {
				words := len(analysis.Tokens(f.text))
				l.add(f.text, s, weakened(table.prior, f)+0.5*float64(words-1), f.needsCue)
			}
		}
	}
	l.readWishes()
}

// readWishes reads what askers say before they name whom they want: would like to
// meet, need to hire.
func (l *Lexicon) readWishes() {
	wishes := rows("wishes.tsv")
	verbs := wishes[len(wishes)-1].forms(1)
	longer := make([]float64, len(verbs)) // what their words add to the likelihood
	for i, verb := range verbs {
		longer[i] = 0.5 * float64(len(analysis.Tokens(verb.text)))
	}
	for _, r := range wishes[:len(wishes)-1] {
		s := &Sense{Type: Filler, Name: r.column(0)}
		for _, wish := range r.forms(1) {
			prior := fillerPrior + 0.5*float64(len(analysis.Tokens(wish.text))-1)
			for i, verb := range verbs {
				l.add(wish.text+" "+verb.text, s, prior+longer[i], false)
			}
		}
	}
}
