package segment

import (
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// letters is what the capitals of a prompt can say.
type letters struct {
	// mixed is true where some words have capitals and others do not, so that
	// capitals mean something; shouting where all letters are capitals.
	mixed, shouting bool
}

func lettersOf(tokens []token.Token) letters {
	words, capitals, shouts := 0, 0, 0
	for _, t := range tokens {
		if t.Kind != token.Word {
			continue
		}
		words++
		if t.Capital() {
			capitals++
		}
		if t.Shout() {
			shouts++
		}
	}
	return letters{
		mixed:    capitals > 0 && capitals*5 <= words*4,
		shouting: words > 1 && shouts*5 >= words*4,
	}
}

// capitals reports whether all words of a span but small ones and short numbers have a
// capital.
func (l *Lattice) capitals(from, to int) bool {
	for _, t := range l.Tokens[from:to] {
		if !t.Capital() && !isSmall(t.Norm) && (t.Kind != token.Number || len(t.Text) > 2) { // Subsea 7
			return false
		}
	}
	return l.Tokens[from].Capital()
}

func isSmall(w string) bool {
	switch w {
	case "of", "the", "and", "de", "von", "van", "der", "den", "da", "do", "dos", "des", "du", "la", "le", "for", "in", "at":
		return true
	}
	return false
}

// written rates a reading by its quotation marks, its capitals and its
// possessive.
func (l *Lattice) written(s Span, group Group) (score float64) {
	last := l.Tokens[s.To-1]
	if last.Possessive {
		switch group {
		case GroupCompany, GroupName, GroupSchool:
			score += 0.7
		case GroupPlace, GroupRole, GroupOther:
		default:
			score--
		}
	}
	if q := last.Quote; q != 0 && s.Len() > 1 && l.wholeQuote(s, q) {
		score += 3
	}
	return score + l.byCapitals(s, group)
}

func (l *Lattice) wholeQuote(s Span, quote int) bool {
	return (s.From == 0 || l.Tokens[s.From-1].Quote != quote) && (s.To == len(l.Tokens) || l.Tokens[s.To].Quote != quote)
}

func (l *Lattice) byCapitals(s Span, group Group) float64 {
	shout := s.Len() == 1 && l.Tokens[s.From].Shout() && !l.letters.shouting
	if shout && group == GroupOther && s.Type == lexicon.Cue && l.isCode(s.From) {
		return -4 // Portland, OR
	}
	if s.Type == lexicon.Cue && s.Len() == 1 && l.isStateWord(s.From) {
		return -6 // in or
	}
	if t := l.Tokens[s.To-1]; s.Type == lexicon.Filler && t.Norm == "us" && (t.Shout() && !l.letters.shouting || l.noPronoun(s.To-1)) {
		return -4 // for US companies
	}
	if !l.letters.mixed {
		return 0
	}
	capital := l.capitals(s.From, s.To)
	switch group {
	case GroupCompany:
		return choose(capital, 1.5, -1.2)
	case GroupName:
		return choose(capital, 2, -2.5)
	case GroupPlace:
		return choose(capital, 1, -0.3)
	case GroupSchool:
		return choose(capital, 1, -0.3)
	case GroupOther:
		if s.Is(lexicon.Cue, lexicon.Filler) {
			return choose(capital && s.From > 0, -1.5, 0)
		}
	}
	return 0
}

// isCode reports whether a word of grammar in capitals is the code of a state:
// with nothing behind it. "Berlin OR Munich" has none.
func (l *Lattice) isCode(at int) bool {
	return at > 0 && len(l.Tokens[at].Norm) == 2 && (at+1 == len(l.Tokens) || l.Tokens[at+1].Comma() || l.Tokens[at+1].Stop() && !l.Tokens[at+1].Opens() && !l.Tokens[at].Stop())
}

// cutsHyphen reports whether a reading ends or begins at a hyphen between two
// words with capitals, as in a name of two.
func (l *Lattice) cutsHyphen(s Span) bool {
	cut := func(at int) bool {
		return at > 0 && at < len(l.Tokens) && l.Tokens[at].Tight() && l.Tokens[at].Capital() && l.Tokens[at-1].Capital() &&
			len(cue.Find(l.Tokens[at-1].Norm)) == 0 && len(cue.Find(l.Tokens[at].Norm)) == 0
	}
	return cut(s.From) || cut(s.To)
}
