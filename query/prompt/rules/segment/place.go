package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
)

// longestPlace is how many words the name of a county or of a place with a possessive
// has at most.
const longestPlace = 3

// sureOfCounty is how much likelier a word is a county where counties are listed, what
// else it may mean.
const sureOfCounty = 3

// addOwned adds the places, companies and skills whose name has a possessive: King's Lynn, Prince
// George's County, Lloyd's of London.
func (l *Lattice) addOwned() {
	for at := range l.Tokens {
		if !l.Tokens[at].Possessive {
			continue
		}
		l.addOwnedOf(at, at, at+1) // Moody's
		if at+1 == len(l.Tokens) || l.apart(at+1) {
			continue
		}
		for from := max(0, at-longestPlace+2); from <= at; from++ {
			if l.joined(from, at+1) {
				l.addOwnedOf(from, at, at+2)
			}
		}
		if at+3 <= len(l.Tokens) && l.joined(at+1, at+3) {
			l.addOwnedOf(at, at, at+3)
		}
	}
}

// addOwnedOf adds what words mean of which the one at a token is a possessive.
func (l *Lattice) addOwnedOf(from, owner, to int) {
	words := slices.Clone(l.phrases.norms[from:to])
	if !strings.HasSuffix(words[owner-from], "s") {
		words[owner-from] += "s"
	}
	for _, s := range l.lex.Senses(words) {
		longer := (groupOf(s.Type) == GroupPlace || s.Type == lexicon.Skill) && to > owner+1
		if (longer || s.Type == lexicon.CompanyAlias) && !s.NeedsCue && !l.unmeant(from, to, s) {
			l.add(Span{From: from, To: to, Type: s.Type, Sense: s}, s.Prior)
		}
	}
}

// addCounties adds the counties of a list whose noun stands only once: Cook, DuPage
// and Lake counties.
func (l *Lattice) addCounties() {
	for at := 1; at < len(l.Tokens); at++ {
		if l.Tokens[at].Norm != "counties" || l.apart(at) {
			continue
		}
		for end, to := at, at+1; end > 0; to = end {
			from, s, ok := l.county(end)
			if !ok {
				break
			}
			l.add(Span{From: from, To: to, Type: s.Type, Sense: s}, s.Prior+sureOfCounty)
			end = from
			if end > 0 && isJoin(l.Tokens[end-1].Norm) {
				end--
			} else if !l.joins(from) {
				break
			}
		}
	}
}

// county is the county of which the name without that word ends before a token, and
// where the name begins.
func (l *Lattice) county(end int) (from int, county lexicon.Sense, ok bool) {
	for from = max(0, end-longestPlace); from < end; from++ {
		if !l.joined(from, end) {
			continue
		}
		senses := l.lex.Senses(append(slices.Clone(l.phrases.norms[from:end]), "county"))
		if i := slices.IndexFunc(senses, func(s lexicon.Sense) bool { return s.Type == lexicon.Metro }); i >= 0 {
			return from, senses[i], true
		}
	}
	return 0, lexicon.Sense{}, false
}

// atTown reports whether a word with a capital is a town that few know, and stands where
// a company does: used to work at Argos.
func (l *Lattice) atTown(e expectation, at int) bool {
	if e.group != GroupCompany || e.prior < surely || at == 0 || l.Tokens[at-1].Norm != "at" || !l.Tokens[at].Capital() || !l.clauseEnds(at+1) || !l.isPlace(at) {
		return false
	}
	return !l.means(at, at+1, func(s Span) bool {
		return !s.Is(lexicon.City, Unknown, Name, Named) || s.Type == lexicon.City && s.Sense.Place.Population >= townSize
	})
}

// isEmployer reports whether an area with the name of a well-known company stands where an
// employer does: ex-Patagonia, who left Patagonia.
func (l *Lattice) isEmployer(s Span) bool {
	company := func(o lexicon.Sense) bool { return o.Type == lexicon.CompanyAlias }
	if s.Type != lexicon.Metro || !slices.ContainsFunc(l.lex.Senses(l.phrases.norms[s.From:s.To]), company) {
		return false
	}
	switch l.leftCue(s.From) {
	case cue.Left, cue.Joined, cue.For:
		return true
	}
	return l.behindEx(s.From)
}
