package lexicon

import "kith/index/analysis"

// readGrammar reads the words that say how others belong together, and those
// that say nothing.
func (l *Lexicon) readGrammar() {
	for _, r := range rows("cues.tsv") {
		for _, f := range r.forms(1) {
			l.addWord(f, Sense{Type: Cue, Name: r.column(0), Prior: 9})
		}
	}
	for _, r := range rows("judgements.tsv") {
		for _, f := range r.forms(1) {
			l.addWord(f, Sense{Type: Judgement, Name: r.column(0), Prior: 7})
		}
	}
	for _, r := range rows("words.tsv") {
		for _, f := range r.forms(1) {
			l.addWord(f, Sense{Type: Type(r.column(0)), Name: r.column(0), Prior: 6})
		}
	}
	for _, r := range rows("fillers.tsv") {
		for _, f := range r.forms(0) {
			l.addWord(f, Sense{Type: Filler, Name: "filler", Prior: 5})
		}
	}
}

// addWord adds a word of grammar: longer phrases are likelier than the words
// that they are made of.
func (l *Lexicon) addWord(f form, s Sense) {
	s.NeedsCue = f.needsCue
	if f.needsCue {
		s.Prior = priorModifier
	}
	s.Prior += 0.5 * float64(len(analysis.Tokens(f.text))-1)
	l.add(f.text, s)
}
