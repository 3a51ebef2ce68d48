package segment

import (
	"slices"

	"kith/query/prompt/lexicon"
)

// addShared adds the names of which a list says the first word only once: the Navy and
// the Air Force of "US Army, Navy or Air Force".
func (l *Lattice) addShared() {
	for i := range l.Tokens {
		for _, s := range l.From[i] {
			if s.Type == lexicon.CompanyAlias && s.Len() > 1 {
				l.shareFirst(i, s.To)
			}
		}
	}
}

// shareFirst adds the entries from a token on that make a name with the first word of the
// name before them.
func (l *Lattice) shareFirst(first, at int) {
	named := func(s lexicon.Sense) bool { return s.Type == lexicon.CompanyAlias && !s.NeedsCue }
	for at < len(l.Tokens) && l.joins(at) {
		if isJoin(l.Tokens[at].Norm) {
			at++
		}
		end := at
		for n := 3; n > 0 && end == at; n-- {
			if at+n > len(l.Tokens) || !l.joined(at, at+n) {
				continue
			}
			senses := l.lex.Senses(slices.Concat(l.phrases.norms[first:first+1], l.phrases.norms[at:at+n]))
			if k := slices.IndexFunc(senses, named); k >= 0 {
				end = at + n
				l.add(Span{From: at, To: end, Type: lexicon.CompanyAlias, Sense: senses[k]}, sharedPrior)
			}
		}
		if end == at {
			return
		}
		at = end
	}
}

// sharedPrior is more than any other reading of the words.
const sharedPrior = 12

// cutsAlias reports whether a country is the first word of the name of a company: in the
// US Navy.
func (l *Lattice) cutsAlias(s Span) bool {
	return l.ahead(s.To, 3, func(to int, _ []lexicon.Sense) bool {
		return l.joined(s.To-1, to) && slices.ContainsFunc(l.lex.Senses(l.phrases.norms[s.To-1:to]), func(o lexicon.Sense) bool {
			return o.Type == lexicon.CompanyAlias && !o.NeedsCue
		})
	})
}
