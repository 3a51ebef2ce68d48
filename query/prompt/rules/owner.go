package rules

import (
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// owns reads "who own their business" and "with their own practice": owners, partners and
// founders, and who works for themselves. It reports whether the present words say so of
// anything, a house or a car.
func (p *parser) owns(s segment.Span) bool {
	w := p.words(s)
	if !hasWord(w, "own") && !hasWord(w, "owns") && !hasWord(w, "owning") {
		return false
	}
	if strings.Contains(w, "run") || strings.Contains(w, "start") || strings.Contains(w, "launch") || strings.Contains(w, "open") || strings.Contains(w, "found") {
		return false
	}
	p.verbs = cue.None
	next := p.peek(1)
	trade := next.Group() == segment.GroupIndustry || next.Type == lexicon.CompanyWord || isBusiness(p.tokens[max(next.To, 1)-1].Norm)
	if next.From != s.To || !trade || p.not {
		p.ignored = append(p.ignored, s)
		return true
	}
	p.endScope()
	whole := segment.Span{From: s.From, To: next.To}
	p.add(fact{name: query.FilterSeniority, values: []string{"founder", "partner"}, level: "founder", says: "owner, founder or partner"}, whole)
	p.add(fact{name: query.FilterCompanyType, values: []string{`"self employed"`, `"sole proprietorship"`, `"self owned"`}, says: "works for themselves"}, whole)
	p.facts[p.last].list = p.facts[p.last-1].list
	if next.Group() != segment.GroupIndustry || next.Type == lexicon.CompanyKind || p.isTitled() && isPractice(p.tokens[next.To-1].Norm) {
		p.at += 2
	}
	return true
}

// isPractice lists businesses that are named after a profession's work: the title says
// more of the industry than they do.
func isPractice(w string) bool {
	switch w {
	case "practice", "clinic", "surgery", "office", "chambers", "pharmacy", "laboratory", "studio":
		return true
	}
	return false
}

// isBusiness lists what people own who work for themselves.
func isBusiness(w string) bool {
	switch w {
	case "company", "business", "firm", "practice", "studio", "salon", "shop", "store", "clinic", "bakery", "workshop", "garage", "office", "gallery", "label", "brand", "farm", "vineyard",
		"winery", "brewery", "restaurant", "cafe", "bar", "gym", "boutique", "agency", "consultancy", "startup", "surgery", "nursery", "hotel", "chambers", "dealership", "pharmacy", "laboratory", "atelier":
		return true
	}
	return false
}
