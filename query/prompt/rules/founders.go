package rules

import (
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// founded is about the year of companies, else about who has founded one.
func (p *parser) founded() {
	next, at := p.next(p.at + 1)
	s := p.spans[p.at]
	if p.isCue(next, cue.In) && hasWord(p.words(s), "their") { // started their own company in Bern
		next, _ = p.next(at + 1)
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
