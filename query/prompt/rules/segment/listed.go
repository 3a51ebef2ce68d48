package segment

import (
	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// listedPrior is how likely a word in a list of titles is one, too: less than that it is
// misspelt.
const listedPrior = 5

// addListed adds titles that no list has and that stand in a list with one that is known:
// embryologists and andrologists; bakers, cake decorators or chocolatiers. From the last
// to the first, as each may be known by the next.
func (l *Lattice) addListed() {
	for i := len(l.Tokens) - 1; i >= 0; i-- {
		t := l.Tokens[i]
		if t.Kind != token.Word || t.Quote != 0 || !IsDoers(t.Norm) || l.begins(i, says) {
			continue
		}
		from := i
		for from > 0 && i-from < 2 && l.joined(from-1, i+1) && !isJoin(l.Tokens[from-1].Norm) {
			from--
		}
		if from > 0 && !isJoin(l.Tokens[from-1].Norm) && !l.Tokens[from].Apart() || !l.listedWith(from, i+1) {
			continue
		}
		if from < i && !l.describeTitle(from, i) {
			continue
		}
		l.add(Span{From: from, To: i + 1, Type: lexicon.Role, Sense: lexicon.Title(l.phrases.norms[from : i+1])}, listedPrior)
	}
}

// describeTitle reports whether all of some words mean nothing, or in what field somebody
// works.
func (l *Lattice) describeTitle(from, to int) bool {
	for at := from; at < to; at++ {
		if l.begins(at, says) && !l.means(at, at+1, ofField) || lexicon.Describes(l.Tokens[at].Norm) {
			return false
		}
	}
	return true
}

// listedWith reports whether a conjunction, or a comma of a list that has one, joins an
// entry of a list with a title before or behind it.
func (l *Lattice) listedWith(from, to int) bool {
	title := func(s Span) bool { return s.Type == lexicon.Role }
	before := from
	if before > 0 && isJoin(l.Tokens[before-1].Norm) {
		before--
	}
	if before > 0 && (before < from || l.Tokens[from].Comma() && l.conjunctionAhead(to)) && l.endsAt(before, lexicon.MaxWords, title) {
		return true
	}
	behind := to
	if behind < len(l.Tokens) && isJoin(l.Tokens[behind].Norm) {
		behind++
	}
	listed := behind > to || to < len(l.Tokens) && l.Tokens[to].Comma() && l.conjunctionAhead(to)
	return listed && behind < len(l.Tokens) && l.begins(behind, title)
}
