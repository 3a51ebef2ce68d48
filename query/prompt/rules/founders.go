package rules

import (
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
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

// ownPremises reports whether "their own studio" or the like stands at a reading.
func (p *parser) ownPremises(at int) bool {
	from := at
	for at < len(p.spans) && p.adjoining(p.spans[at]) && isOwners(p.words(p.spans[at])) && !p.tokens[p.spans[at].From].Article() {
		at++
	}
	return at > from && at < len(p.spans) && p.spans[at].Type != lexicon.CompanyWord && isPremises(p.tokens[p.spans[at].From].Norm)
}

// isPremises lists what people own who work there.
func isPremises(w string) bool {
	switch w {
	case "business", "company", "firm", "practice", "shop", "studio", "workshop", "salon", "restaurant", "bakery", "clinic", "farm", "garage", "gym", "store", "agency", "surgery", "pharmacy", "boat", "truck", "label", "brand", "brewery", "vineyard":
		return true
	}
	return false
}

// founded is about the year of companies, else about who has founded one.
func (p *parser) founded() {
	next, at := p.next(p.at + 1)
	s := p.spans[p.at]
	if p.isCue(next, cue.In) && hasWord(p.words(s), "their") { // started their own company in Bern
		next, _ = p.next(at + 1)
	}
	if p.ownPremises(p.at + 1) {
		p.becameFounders()
		p.endScope()
		p.add(fact{name: query.FilterSeniority, values: []string{"founder"}, level: "founder"}, s)
		p.verbs = cue.Founded
		return
	}
	if next.Type == segment.Quantity || p.isCue(next, cue.In) || p.isCue(p.peek(-1), cue.Company) {
		return
	}
	if next.Group() == segment.GroupCompany || next.Group() == segment.GroupIndustry || next.Type == lexicon.CompanyWord || next.Type == lexicon.CompanyKind || len(p.words(s)) > 9 && !strings.HasSuffix(p.words(s), "started") && !strings.HasSuffix(p.words(s), "launched") && !strings.HasSuffix(p.words(s), "opened") {
		p.becameFounders()
		p.when, p.gone, p.verb, p.spent = any, false, true, false
		if hasWord(p.words(s), "run") || hasWord(p.words(s), "runs") || hasWord(p.words(s), "running") {
			p.endScope()
		}
		p.add(fact{name: query.FilterSeniority, values: []string{"founder"}, level: "founder"}, s)
		p.verbs = cue.None
	}
}
