package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// promoted reads "promoted at X", "promoted to director": a job that is not the
// first of its stay. Where no company is named it is the present one.
func (p *parser) promoted() bool {
	if strings.HasSuffix(p.words(p.spans[p.at]), " from") {
		return p.promotedFrom()
	}
	at := p.at + 1
	if s := p.peekAt(at); unanswered(s) == oftenNote { // promoted twice
		p.ignore(oftenNote, s)
		at++
	}
	first := at
	for at < len(p.spans) && (p.isCue(p.spans[at], cue.At, cue.For, cue.Of, cue.In, cue.MovedTo, cue.As) || p.spans[at].Type == lexicon.Filler || p.isCue(p.spans[at], cue.Company)) {
		at++
	}
	end := p.phraseEnd(at)
	parts := []query.Query{query.Exists{Field: query.FromTitle}, query.Not{Part: query.Exists{Field: query.FromCompany}}}
	if end > at {
		if job, ok := p.job([2]int{at, end}, false); ok {
			parts = append(parts, job)
			p.promotedAway(at, end)
		} else {
			end = first
		}
	}
	last := first
	if end > at {
		last = end
	}
	if r, behind, ok := p.promotedAt(last); ok {
		parts, last = append(parts, r), behind
	}
	p.condition(p.at, last, query.Nested{Path: query.Current, Part: query.And{Parts: parts}})
	p.howSoon()
	return true
}

// howSoon leaves out in which time somebody was promoted: promoted twice in three years.
func (p *parser) howSoon() {
	for at := p.at; at < min(len(p.spans), p.at+3); at++ {
		s := p.spans[at]
		if s.Type == segment.Quantity && s.Quantity.Kind == quantity.Years && !s.Quantity.Experience && at > p.at {
			p.ignore("how soon somebody was promoted is not on record", p.spans[p.at:at+1]...)
			p.at = at + 1
			return
		}
		if w := p.words(s); !p.isCue(s, cue.In) && w != "within" && w != "over" && unanswered(s) != oftenNote {
			return
		}
	}
}

// promotedFrom reads "promoted from engineer to manager": the one job followed the other in
// one stay. Without "to" the other is the present one: directors promoted from manager.
func (p *parser) promotedFrom() bool {
	within := query.Not{Part: query.Exists{Field: query.FromCompany}}
	to, ok := p.find(p.at+1, func(i int) bool { return p.isCue(p.spans[i], cue.MovedTo) })
	if !ok || to == p.at+1 {
		end := p.at + 1
		for last := p.phraseEnd(end); end < last && !p.isCue(p.spans[end], cue.At, cue.Of); end++ { // at Acme, where they are still
		}
		before, ok := p.job([2]int{p.at + 1, end}, true)
		if ok {
			p.condition(p.at, end, query.Nested{Path: query.Current, Part: query.And{Parts: []query.Query{before, within}}})
		}
		return ok
	}
	end := p.phraseEnd(to + 1)
	parts, ok := p.successive([2]int{p.at + 1, to}, [2]int{to + 1, end})
	if !ok {
		return false
	}
	p.condition(p.at, end, anyJob(query.And{Parts: append(parts, within)}))
	return true
}

// promotedAway makes past the titles and levels of those who were promoted to another:
// product managers promoted to director, teachers promoted to principal.
func (p *parser) promotedAway(from, end int) {
	to := p.sub(from, end).facts
	p.end(false, func(f fact) bool {
		switch f.name {
		case query.FilterPosition:
			return slices.ContainsFunc(to, func(t fact) bool { return otherTitle(f, t) })
		case query.FilterSeniority:
			return slices.ContainsFunc(to, func(t fact) bool { return t.level != "" && t.level != f.level })
		}
		return false
	})
}

// otherTitle reports whether whoever has the title or level of the second fact has not
// that of the first any more.
func otherTitle(f, to fact) bool {
	if aboveLead(to.level) {
		return !aboveLead(f.level) || f.level == analysis.LevelManager || to.name == query.FilterPosition
	}
	same := func(v string) bool { return slices.Contains(to.values, v) }
	return to.name == query.FilterPosition && len(to.narrow) == 0 && !slices.ContainsFunc(f.values, same)
}

// promotedAt reads when people were promoted: a time behind it, or "recently" before it.
func (p *parser) promotedAt(end int) (query.Query, int, bool) {
	if r, behind, ok := p.began(end, query.Start); ok || !p.isRecent(p.peek(-1)) {
		return r, behind, ok
	}
	if n := len(p.ignored); n > 0 && p.ignored[n-1].To == p.spans[p.at].From { // it is not left out
		p.ignored = p.ignored[:n-1]
	}
	return query.Range{Field: query.Start, Min: new(p.daysAgo(1, false))}, end, true
}
