package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// longestBracket is how many tokens a bracket may have whose nouns a word before it
// describes, and mostBefore how many such words there are.
const (
	longestBracket = 8
	mostBefore     = 3
)

// addBracketed adds the titles that the words before a bracket make with each noun in
// it: "machine learning" (engineer OR scientist).
func (l *Lattice) addBracketed() {
	for open := 1; open < len(l.Tokens); open++ {
		if l.Tokens[open].Gap != "(" {
			continue
		}
		nouns := l.bracketed(open)
		for n := min(mostBefore, open); n > 0 && len(nouns) > 0; n-- {
			if l.joined(open-n, open) && l.describeAll(open-n, open, nouns) {
				break
			}
		}
	}
}

// bracketed are the words of a bracket but for the conjunctions between them; nil where
// there is another mark.
func (l *Lattice) bracketed(open int) (nouns []int) {
	for i := open; i < len(l.Tokens) && i < open+longestBracket; i++ {
		t := l.Tokens[i]
		if i > open && strings.Contains(t.Gap, ")") {
			return nouns
		}
		if t.Kind != token.Word || t.Quote != 0 || i > open && t.Gap != "" && !t.Comma() {
			return nil
		}
		if !isJoin(t.Norm) {
			nouns = append(nouns, i)
		}
	}
	return nouns
}

// describeAll adds the titles, and that the words before say nothing else, where each
// noun makes one.
func (l *Lattice) describeAll(from, to int, nouns []int) bool {
	titles := make([]lexicon.Sense, len(nouns))
	for k, at := range nouns {
		senses := l.lex.Senses(append(slices.Clone(l.phrases.norms[from:to]), l.phrases.norms[at]))
		i := slices.IndexFunc(senses, func(s lexicon.Sense) bool { return s.Type == lexicon.Role && !s.NeedsCue })
		if i < 0 {
			return false
		}
		titles[k] = senses[i]
	}
	for k, at := range nouns {
		l.add(Span{From: at, To: at + 1, Type: lexicon.Role, Sense: titles[k]}, bracketPrior)
	}
	l.add(Span{From: from, To: to, Type: lexicon.Filler, Sense: lexicon.Sense{Type: lexicon.Filler, Name: Said}}, bracketPrior)
	return true
}

// Said is the name of a filler whose words are part of other readings.
const Said = "said"

// bracketPrior is more than any other reading of these words.
const bracketPrior = 14
