package rules

import (
	"kith/query"
	"kith/query/prompt/rules/quantity"
	"kith/query/prompt/rules/segment"
)

// foundedJob is the fact that says who founded or opened something, to which a time
// belongs that nothing else has: chefs who opened a restaurant before 2010; -1 where there
// is none.
func (p *parser) foundedJob() int {
	for i := len(p.facts) - 1; i >= 0; i-- {
		switch f := p.facts[i]; {
		case f.name == query.FilterSeniority && f.level == "founder" && f.when == any && !f.not && f.query == nil:
			return i
		case f.group() != segment.GroupPlace && f.group() != segment.GroupIndustry:
			return -1
		}
	}
	return -1
}

// foundedThen asks for a job as founder that began then.
func (p *parser) foundedThen(at int, s segment.Span, q quantity.Quantity) {
	r, says := p.dateRange(q)
	r.Field = query.Start
	founder := query.Term{Field: query.Seniority, Value: "founder"}
	p.last = at
	p.addPlain(fact{query: anyJob(query.And{Parts: []query.Query{founder, r}}), says: "founded " + says}, s)
}
