package rules

import (
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
)

// ownsIt reads "own their business" behind the title of people: they are its owners, or
// founded it. It reports whether it does.
func (p *parser) ownsIt(s segment.Span) bool {
	switch p.tokens[s.To-1].Norm {
	case "own", "owns", "owning":
	default:
		return false
	}
	at := p.at + 1
	for at < len(p.spans) && p.adjoining(p.spans[at]) && isOwners(p.words(p.spans[at])) {
		at++
	}
	if at == len(p.spans) || !p.isTitled() || p.not || !p.adjoining(p.spans[at]) || s.From > 0 && isFirstPerson(p.tokens[s.From-1].Norm) {
		return false
	}
	noun := p.spans[at]
	theirs := at > p.at+1 || isOwners(p.tokens[noun.From].Norm)
	if !theirs || noun.Type != lexicon.CompanyWord && noun.Type != lexicon.CompanyKind && !isPremises(p.tokens[noun.To-1].Norm) {
		return false
	}
	p.add(fact{name: query.FilterSeniority, values: []string{"founder", "partner"}, level: "founder"}, segment.Span{From: s.From, To: p.spans[at].To})
	p.at = at + 1
	return true
}

// isOwners lists the words between "own" and what somebody owns.
func isOwners(w string) bool {
	switch strings.TrimSuffix(w, " own") {
	case "their", "his", "her", "a", "the", "own", "small":
		return true
	}
	return false
}

// isPremises lists what people own who work there.
func isPremises(w string) bool {
	switch w {
	case "business", "company", "firm", "practice", "shop", "studio", "workshop", "salon", "restaurant", "bakery", "clinic", "farm", "garage", "gym", "store", "agency", "surgery", "pharmacy", "boat", "truck", "label", "brand", "brewery", "vineyard":
		return true
	}
	return false
}
