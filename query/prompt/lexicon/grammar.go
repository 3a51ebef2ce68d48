package lexicon

import "kith/index/analysis"

// readGrammar reads the words for judgements, for anybody, for any company, and
// those that say nothing. A phrase is likelier than the words that it is made of.
func (l *Lexicon) readGrammar() {
	for _, table := range []struct {
		file  string
		kind  Type // "" where the first column says it
		prior float64
	}{
		{"judgements.tsv", Judgement, 7}, {"words.tsv", "", 6}, {"fillers.tsv", Filler, 5},
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
}
