package rules

import (
	"kith/query"
	"kith/query/prompt/rules/segment"
)

// served asks of veterans of the armed forces that they had a title or an employer there,
// in whatever job: hardly anybody still has.
func (p *parser) served(s segment.Span) bool {
	if s.Sense.Name != "military_veteran" || p.not {
		return false
	}
	before := p.scope
	p.when, p.gone = any, false
	p.add(fact{name: query.FilterPosition, values: s.Sense.Values, says: p.text(s) + " by a title"}, s)
	p.add(fact{
		name: query.FilterCompanyIndustry, says: "by an employer",
		values: []string{"Military", `"Armed Forces"`}, broader: []string{`"Defense & Space"`, `"Defense and Space Manufacturing"`, "Defense", "Defence"},
	}, s)
	p.facts[p.last].list = p.facts[p.last-1].list
	p.when, p.gone = before.when, before.gone
	return true
}
