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
		from, mid, to := four[0].spans[0][0], four[2].spans[0][0], four[3].spans[0][1]
		before := mid - 1
		for before > from && p.joinAt(before) {
			before--
		}
		one := fact{
			list: four[0].list, spans: [][2]int{{from, to}},
			query: query.Or{Parts: []query.Query{
				query.And{Parts: []query.Query{p.compile(four[0]), p.compile(four[1])}},
				query.And{Parts: []query.Query{p.compile(four[2]), p.compile(four[3])}},
			}},
			says: p.source([][2]int{{from, before + 1}}).Text + ", or " + p.source([][2]int{{mid, to}}).Text,
		}
		p.facts = slices.Replace(p.facts, i, i+4, one)
	}
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
		four[0].list != four[2].list && four[1].list != four[3].list && p.joinAt(four[2].spans[0][0]-1)
}

// joinAt reports whether a token is an "and" or "or".
func (p *parser) joinAt(at int) bool {
	return slices.ContainsFunc(p.spans, func(s segment.Span) bool {
		return s.From <= at && at < s.To && p.isCue(s, cue.And, cue.Or)
	})
}
