package rules

import (
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
)

// minus reports whether a minus stands right before a reading, as in search
// boxes: -google.
func (p *parser) minus(s segment.Span) bool {
	at := p.tokens[s.From].From
	if at > 0 && (p.runes[at-1] == '"' || p.runes[at-1] == '“') {
		at--
	}
	return at > 1 && p.runes[at-1] == '-' && p.runes[at-2] == ' '
}

// negates reports whether a negation covers the fact, and ends it where it does
// not.
func (p *parser) negates(f fact, s segment.Span) bool {
	if !p.not {
		return false
	}
	if p.notGroup != "" && p.tokens[s.From].Comma() && (p.closedByOr() || p.last >= 0 && p.facts[p.last].not && p.facts[p.last].kind() != f.kind()) { // no consultants or agencies, chemicals
		p.not, p.notGroup = false, ""
		return false
	}
	if p.notGroup != "" && p.lastAt == s.From && p.adjoining(s) && p.peek(-2).Type == lexicon.Cue && p.words(p.peek(-2)) == "non" { // non-luxury fashion brands
		p.not, p.notGroup = false, ""
		return false
	}
	if p.notGroup == "" || p.notGroup == f.group() || p.last >= 0 && p.facts[p.last].not && (p.lastAt == s.From-1 && p.orBefore(s.From) || p.lastAt == s.From && p.tokens[s.From].Slash()) { // not in staffing or recruiting
		p.notGroup = f.group()
		return true
	}
	p.not, p.notGroup = false, ""
	return false
}

// closedByOr reports whether a conjunction joins the last two facts, so that the
// list that they are in has ended.
func (p *parser) closedByOr() bool {
	if p.last < 1 || p.facts[p.last].list != p.facts[p.last-1].list {
		return p.last >= 1 && p.facts[p.last].not && p.facts[p.last-1].not && p.orBefore(p.facts[p.last].spans[0][0])
	}
	return p.orBefore(p.facts[p.last].spans[0][0])
}

// asLeftOut is what a reading means in a list of what is left out, where "or" joins
// it with something of another kind that it can be, too: not in staffing or
// recruiting.
func (p *parser) asLeftOut(s segment.Span) segment.Span {
	if !p.not || p.notGroup == "" || p.notGroup == s.Group() || !p.orBefore(s.From) {
		return s
	}
	for _, other := range p.others[s.From] {
		if other.To == s.To && other.Group() == p.notGroup {
			return other
		}
	}
	return s
}
