package rules

import (
	"slices"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// clauses makes one question of two kinds of people of which the first have a clause of
// their own: interpreters who speak Arabic and social workers; CFOs with an MBA and
// controllers with a CPA.
func (p *parser) clauses() {
	for i := range p.facts {
		second := p.qualified(i)
		if second < 0 || !p.joinsPeople(second) {
			continue
		}
		end := p.qualified(second)
		if end < 0 {
			end = second + 1
			for end < len(p.facts) && p.facts[end].list == p.facts[second].list {
				end++
			}
		}
		if !p.closed(i, []int{second, end}) {
			continue
		}
		each := []fact{p.allOf(p.facts[i:second]...), p.allOf(p.facts[second:end]...)}
		p.facts = slices.Replace(p.facts, i, end, p.oneOf(each))
		return
	}
}

// qualified is the fact behind a list of titles and what is said of those who have them,
// that is no place or company; -1 where nothing is said of them.
func (p *parser) qualified(title int) int {
	if !p.ofPeople(title) {
		return -1
	}
	end := title + 1
	for end < len(p.facts) && p.ofPeople(end) && p.facts[end].list == p.facts[title].list {
		end++
	}
	first := end
	for end < len(p.facts) && (p.pairable(end) && qualifies(p.facts[end]) || p.workedIn(end)) {
		end++
	}
	if end == first {
		return -1
	}
	return end
}

// ofPeople reports whether a fact is a title of present jobs.
func (p *parser) ofPeople(i int) bool {
	return i < len(p.facts) && p.facts[i].name == query.FilterPosition && p.pairable(i)
}

// qualifies reports whether a fact says what people know, have learned or how long they
// have worked.
func qualifies(f fact) bool {
	switch f.name {
	case query.FilterSkills, query.FilterDegree, query.FilterFieldOfStudy, query.FilterExperienceYears, query.FilterTenureYears:
		return true
	}
	return false
}

// workedIn reports whether a fact is of an industry or a function in which people have worked:
// with fintech experience.
func (p *parser) workedIn(i int) bool {
	f := p.facts[i]
	g := f.group()
	return f.when == any && !f.not && f.query == nil && (g == segment.GroupIndustry || g == segment.GroupFunction || g == segment.GroupCompany)
}

// joinsPeople reports whether "and" or "or" joins the title of a fact, in the plural or
// behind an article, with what stands before it.
func (p *parser) joinsPeople(i int) bool {
	if !p.ofPeople(i) {
		return false
	}
	title := p.facts[i].spans[0]
	from := title[0]
	if narrow := p.facts[i].narrowSpans; len(narrow) > 0 {
		from = min(from, narrow[0][0])
	}
	article := from > 0 && p.tokens[from-1].Article()
	if article {
		from--
	}
	if !p.tokens[from].Entry() && (!p.cueBefore(from, cue.And, cue.Or) || p.tokens[from-1].Comma()) {
		return false
	}
	return article || p.severalOf(segment.Span{From: title[0], To: title[1], Type: lexicon.Role})
}
