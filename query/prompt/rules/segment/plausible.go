package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
)

// plausible reports whether what stands beside a span speaks for a sense that
// needs it. A word of grammar (in, or, me) is the code of a state only where
// capitals say so.
func (l *Lattice) plausible(from, to int, s lexicon.Sense) bool {
	switch w := l.Tokens[from]; {
	case (s.Type == lexicon.State || s.Type == lexicon.Country) && strings.Contains(w.Text, ".") && !isAbbreviated(w.Norm): // M.S. in physics, J.P. Dupont
		return false
	case s.Type == lexicon.State && from > 0 && (l.Tokens[from-1].Norm == "a" || l.Tokens[from-1].Norm == "an"): // with an MD
		return false
	}
	if to == from+1 && (s.Type == lexicon.State || s.Type == lexicon.Country) && len(l.Tokens[from].Norm) == 2 {
		if shout := l.Tokens[from].Shout() && !l.letters.shouting; len(cue.Find(l.Tokens[from].Norm)) > 0 && (!shout || !l.isCode(from)) {
			return false
		}
		if from > 0 && to == len(l.Tokens) && l.titleEnds(from) {
			return true
		}
	}
	switch {
	case groupOf(s.Type) == GroupRole && l.titleBegins(to),
		s.Type == lexicon.SizeWord && l.industryBegins(to),                            // large hospitals
		s.Type == lexicon.Degree && to+1 < len(l.Tokens) && l.Tokens[to].Norm == "in": // a BA in English
		return true
	}
	return l.hasCue(from, to, groupOf(s.Type))
}

// isArticle reports whether a token is an article or a particle of some language
// before another word, not the code of a place: in de logistiek, dans la banque.
func (l *Lattice) isArticle(from, to int) bool {
	w := l.Tokens[from]
	return to == from+1 && len(w.Norm) == 2 && isParticle(w.Norm) && !w.Capital() && to < len(l.Tokens) && !l.Tokens[to].Comma() && !l.Tokens[to].Stop()
}

// isAbbreviated reports whether the code of a place is written with dots, too.
func isAbbreviated(code string) bool {
	switch code {
	case "dc", "us", "usa", "uk", "uae", "eu":
		return true
	}
	return false
}

// industryBegins reports whether an industry stands behind a span.
func (l *Lattice) industryBegins(at int) bool {
	for n := 1; n <= 3 && at+n <= len(l.Tokens) && l.joined(at, at+n); n++ {
		isIndustry := func(s lexicon.Sense) bool { return s.Type == lexicon.Industry && !s.NeedsCue }
		if slices.ContainsFunc(l.lex.Senses(l.phrases.norms[at:at+n]), isIndustry) {
			return !l.Tokens[at].Comma() && !l.Tokens[at].Stop()
		}
	}
	return false
}

// titleBegins reports whether a title stands behind a span.
func (l *Lattice) titleBegins(at int) bool {
	for n := 1; n <= 4 && at+n <= len(l.Tokens) && l.joined(at, at+n); n++ {
		if isTitle(l.lex.Senses(l.phrases.norms[at : at+n])) {
			return at == 0 || !l.Tokens[at].Comma() && !l.Tokens[at].Stop()
		}
	}
	return false
}
