package rules

import (
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// readCause makes words of the company of what nonprofits are said to be for, or others to make, in words that
// no list has: at human rights NGOs, for refugee charities, wildlife conservation
// organizations. It reports whether such begin at the present reading.
func (p *parser) readCause(s segment.Span) bool {
	if p.at > 0 && !p.isCue(p.peek(-1), cue.At, cue.For, cue.Of, cue.With, cue.Joined, cue.Left, cue.And, cue.Or, cue.From) && !p.tokens[s.From].Comma() {
		return false
	}
	end := p.at
	for end < len(p.spans) && p.ofCause(p.spans[end]) && (end == p.at || p.adjoining(p.spans[end])) {
		end++
	}
	if end == p.at || end == len(p.spans) || !p.adjoining(p.spans[end]) || !p.hasCauses(p.spans[end]) {
		return false
	}
	if last := p.tokens[p.spans[end].From-1]; last.Kind != token.Word || p.spans[end].Sense.Name != "nonprofit" && isQuality(last.Norm) {
		return false
	}
	whole := segment.Span{From: s.From, To: p.spans[end-1].To}
	p.at = end
	p.add(fact{name: query.FilterCompanyKeywords, values: []string{alternative(p.text(whole))}}, whole)
	return true
}

// ofCause reports whether a reading without a capital may be part of what a nonprofit is for.
func (p *parser) ofCause(s segment.Span) bool {
	if t := p.tokens[s.From]; t.Capital() && p.hasLower() || lexicon.Describes(t.Norm) {
		return false
	}
	switch s.Type {
	case segment.Unknown, lexicon.Modifier:
		return true
	case lexicon.FieldOfStudy: // liberal arts colleges
		return !s.Sense.NeedsCue
	case segment.Named:
		return s.Group() == segment.GroupCompany
	}
	return false
}

// hasCauses reports whether a reading is a noun for many nonprofits, or for companies that
// are hardly ever said to be for anything else.
func (p *parser) hasCauses(s segment.Span) bool {
	w := p.words(s)
	if s.Type == lexicon.Industry && p.spans[p.at].Type == segment.Named && p.areMany(s) { // deep sea mining companies
		return true
	}
	if s.Type == lexicon.CompanyKind && (s.Sense.Name == "nonprofit" || p.areMany(s)) {
		return true
	}
	ofMany := s.Type == lexicon.CompanyWord && (w == "companies" || w == "firms" || w == "brands" || w == "makers" || strings.HasPrefix(w, "organi") && strings.HasSuffix(w, "s"))
	return ofMany || s.Type == lexicon.Industry && s.Len() == 1 && isMakers(w)
}

// isMakers lists the nouns for companies that say what they do only with what stands before
// them: ready meal manufacturers.
func isMakers(w string) bool {
	switch w {
	case "manufacturers", "wholesalers", "distributors", "retailers", "importers", "exporters", "colleges", "schools", "consultancies", "agencies":
		return true
	}
	return false
}

// isQuality reports whether a word says how companies are rather than what they make or do:
// innovative or regional firms.
func isQuality(w string) bool {
	for _, ending := range []string{"al", "ive", "ic", "ant", "ent", "ary", "ern", "wide", "cap", "first", "size", "scale"} {
		if len(w) > len(ending)+3 && strings.HasSuffix(w, ending) {
			return true
		}
	}
	switch w {
	case "rival", "competitor", "local", "rural", "royal", "portfolio", "product", "holding", "boring", "exciting", "leading", "interesting", "emerging", "upcoming", "competing", "existing", "operating", "cool", "heritage", "tier", "top", "target", "client", "neutral",
		"peer", "similar", "different", "comparable", "these", "those", "mature", "niche", "premium", "purpose", "value", "challenger", "household", "name", "parent", "sister", "member", "partner", "blue", "chip":
		return true
	}
	return false
}
