package rules

import (
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// tradeAmong makes a fact of a word in a list of trades that no list has as one, where the
// last of them is an industry: owners of plumbing, roofing and construction companies; in
// podcasts or radio; in radio or podcasts.
func (p *parser) tradeAmong(s segment.Span) bool {
	if !p.mayBeTrade(s) {
		return false
	}
	f := fact{name: query.FilterCompanyKeywords, values: []string{alternative(p.text(s))}}
	switch {
	case p.listOfCompanies(s):
	case p.unreadTopic(s) && p.besideTrade(s):
		f.name = query.FilterKeywords
	default:
		return false
	}
	p.add(f, s)
	return true
}

// mayBeTrade reports whether a reading is of one word without a capital that is not
// understood, or that is named after a trade: roofing, carpentry.
func (p *parser) mayBeTrade(s segment.Span) bool {
	w := p.words(s)
	if s.Len() > 1 || len(w) < shortestHead || p.tokens[s.From].Capital() || p.not {
		return false
	}
	switch s.Type {
	case segment.Unknown, lexicon.Modifier, segment.Named:
		return s.Type != segment.Named || s.Group() == segment.GroupCompany
	case lexicon.Role, lexicon.Function, segment.KnownTitle:
		return strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ry")
	}
	return false
}

// unreadTopic reports whether a reading is a word that is not understood and says what
// somebody works on.
func (p *parser) unreadTopic(s segment.Span) bool {
	return s.Is(segment.Unknown, segment.Named, lexicon.Modifier) && !lexicon.Describes(p.words(s))
}

// listOfCompanies reports whether a reading is an entry of a list behind a preposition
// that ends in companies of some industry.
func (p *parser) listOfCompanies(s segment.Span) bool {
	behind := p.last >= 0 && p.lastAt == s.From && p.tokens[s.From].Comma() && p.facts[p.last].group() == segment.GroupIndustry
	if !behind && !p.isCue(p.peek(-1), cue.Of, cue.At, cue.For, cue.In) && !p.cueBefore(s.From, cue.And, cue.Or) {
		return false
	}
	for i := p.at + 1; i < len(p.spans); i++ {
		o := p.spans[i]
		switch {
		case p.isCue(o, cue.And, cue.Or), p.tokens[o.From].Comma() && p.mayBeTrade(o):
		case o.Group() == segment.GroupIndustry && p.isCue(p.spans[i-1], cue.And, cue.Or):
			return isCompanies(p.tokens[o.To-1].Norm) || p.peekAt(i+1).Type == lexicon.CompanyWord
		case p.isCue(p.spans[i-1], cue.And, cue.Or) && p.mayBeTrade(o), o.Group() == segment.GroupIndustry && p.tokens[o.From].Comma():
		default:
			return false
		}
	}
	return false
}

// isCompanies lists the nouns for many companies that the names of industries end in.
func isCompanies(w string) bool {
	switch w {
	case "companies", "businesses", "firms", "startups", "shops", "manufacturers", "suppliers", "contractors":
		return true
	}
	return false
}

// besideTrade reports whether "or" joins a word behind "in", or first in a bracket, with an
// industry, before or behind it.
func (p *parser) besideTrade(s segment.Span) bool {
	if (p.isCue(p.peek(-1), cue.In, cue.At) || p.tokens[s.From].Gap == "(") && p.isCue(p.peek(1), cue.Or) && p.peek(2).Group() == segment.GroupIndustry {
		return true
	}
	ends := p.at+1 == len(p.spans) || p.mark(p.at+1, p.at) || p.spans[p.at+1].Type == lexicon.Cue
	return ends && p.cueBefore(s.From, cue.Or) && p.last >= 0 && p.lastAt == s.From-1 && p.facts[p.last].name == query.FilterCompanyIndustry && !p.facts[p.last].not
}
