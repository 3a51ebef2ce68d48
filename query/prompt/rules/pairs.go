package rules

import (
	"slices"

	"kith/query"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// pair makes one question of two titles of which each has a place or a company of its
// own: CTOs in Berlin or CFOs in Paris.
func (p *parser) pair() {
	for i := 0; i+4 <= len(p.facts); i++ {
		four := p.facts[i : i+4]
		if !p.paired(i) {
			continue
		}
		one, other := p.allOf(four[0], four[1]), p.allOf(four[2], four[3])
		one.spans[0][1] = other.spans[0][1]
		one.query = query.Or{Parts: []query.Query{one.query, other.query}}
		one.says += ", or " + other.says
		p.facts = slices.Replace(p.facts, i, i+4, one)
	}
}

// allOf is the question whether some facts hold, the words between being of it.
func (p *parser) allOf(facts ...fact) fact {
	whole := [][2]int{{facts[0].spans[0][0], facts[len(facts)-1].spans[0][1]}}
	var parts []query.Query
	for _, f := range facts {
		parts = append(parts, p.compile(f))
	}
	return fact{list: facts[0].list, spans: whole, says: p.source(whole).Text, query: query.And{Parts: parts}}
}

// paired reports whether the four facts from i on are a title, a place or a company,
// and the same again behind a conjunction, and none of them has alternatives.
func (p *parser) paired(i int) bool {
	four := p.facts[i : i+4]
	for k, f := range four {
		if f.not || f.when != current || f.query != nil || len(f.spans) != 1 || k > 0 && f.spans[0][0] < four[k-1].spans[0][1] {
			return false
		}
		for other, o := range p.facts {
			if o.list == f.list && (other < i || other > i+3) {
				return false
			}
		}
	}
	title := func(f fact) bool { return f.group() == segment.GroupRole || f.group() == segment.GroupFunction }
	where := four[1].group()
	return title(four[0]) && title(four[2]) && where == four[3].group() &&
		(where == segment.GroupPlace || where == segment.GroupCompany) &&
		four[0].list != four[2].list && four[1].list != four[3].list && p.cueBefore(four[2].spans[0][0], cue.And, cue.Or)
}
