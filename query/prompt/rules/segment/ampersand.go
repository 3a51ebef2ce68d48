package segment

import (
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// Ampersands are the tokens before which an ampersand with space around it is the word
// "and": joined Meta & left, Google & Meta, but Procter & Gamble, Smith & Wesson.
func (l *Lattice) Ampersands() []int {
	var out []int
	for at := 1; at < len(l.Tokens); at++ {
		t := l.Tokens[at]
		if strings.HasSuffix(t.Gap, "&") && t.Spaced && t.From >= l.Tokens[at-1].To+3 && l.isAnd(at) {
			out = append(out, at)
		}
	}
	return out
}

// isAnd reports whether the ampersand before a token is part of no name.
func (l *Lattice) isAnd(at int) bool {
	a, b := l.Tokens[at-1], l.Tokens[at]
	company := func(s Span) bool {
		return s.Is(Company, lexicon.CompanyAlias) && s.Score > unknownScore
	}
	switch {
	case a.Quote > 0, len(b.Norm) == 1 && (b.Capital() || len(a.Norm) == 1), l.crossed(at), l.endsLegalForm(at):
		return false
	case a.Kind == token.Number, b.Gap != "&", a.Shout() && b.Shout(), l.endsAt(at, lexicon.MaxWords, company), l.begins(at, company):
		return true
	case l.letters.mixed && (!a.Capital() || !b.Capital()):
		return true
	}
	first := at - 1
	for first > 0 && l.joined(first-1, at) && l.Tokens[first-1].Capital() == a.Capital() && !l.begins(first-1, func(s Span) bool { return s.Type == lexicon.Cue }) {
		first--
	}
	return !l.blank(at-1) && !l.blank(at) && (first == 0 || !l.employerBehind(first)) || IsDoers(a.Norm) && IsDoers(b.Norm)
}

// crossed reports whether the words around a token mean something together.
func (l *Lattice) crossed(at int) bool {
	for from := max(0, at-lexicon.MaxWords); from < at; from++ {
		if l.begins(from, func(s Span) bool {
			return s.To > at && !s.Is(Unknown, Named, Name, Quantity) && !s.Sense.ByRule
		}) {
			return true
		}
	}
	return false
}

// endsLegalForm reports whether the legal form that ends right before a token goes
// on with it: Acme GmbH & Co. KG.
func (l *Lattice) endsLegalForm(at int) bool {
	if at < 2 || at == len(l.Tokens) || l.Tokens[at].Norm != "co" {
		return false
	}
	key := l.companyKey(at-2, at-1)
	if l.companyKey(at-2, at) != key { // no form ends here
		return false
	}
	return l.companyKey(at-2, at+1) == key || at+2 <= len(l.Tokens) && l.companyKey(at-2, at+2) == key
}
