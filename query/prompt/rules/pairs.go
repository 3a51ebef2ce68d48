package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// pair makes one question of titles of which each has a place, a company or a kind of
// companies of its own: CTOs in Berlin or CFOs in Paris; partners at law firms, directors
// at banks or founders of startups.
func (p *parser) pair() {
	for i := range p.facts {
		ends := p.pairs(i)
		if len(ends) < 2 {
			ends = p.placedPairs(i)
		}
		if len(ends) < 2 || !p.closed(i, ends) {
			continue
		}
		var each []fact
		for from, n := i, 0; n < len(ends); from, n = ends[n], n+1 {
			each = append(each, p.allOf(p.facts[from:ends[n]]...))
		}
		p.facts = slices.Replace(p.facts, i, ends[len(ends)-1], p.oneOf(each))
		return
	}
}

// oneOf is the question whether one of some holds, the words between being of it.
func (p *parser) oneOf(each []fact) fact {
	one := each[0]
	var parts []query.Query
	var says []string
	for _, f := range each {
		parts, says = append(parts, f.query), append(says, f.says)
	}
	one.spans = [][2]int{{one.spans[0][0], each[len(each)-1].spans[0][1]}}
	one.query, one.says = query.Or{Parts: parts}, strings.Join(says, ", or ")
	return one
}

// allOf is the question whether some facts hold, one of those that are alternatives of
// each other, the words between being of it.
func (p *parser) allOf(facts ...fact) fact {
	whole := [][2]int{{facts[0].spans[0][0], facts[len(facts)-1].spans[0][1]}}
	var parts []query.Query
	for i, f := range facts {
		q := p.compile(p.settle(f))
		if f.gone && f.when == past {
			q = p.andLeft(f)
		}
		if i == 0 || f.list != facts[i-1].list {
			parts = append(parts, q)
			continue
		}
		last := &parts[len(parts)-1]
		*last = query.Or{Parts: []query.Query{*last, q}}
	}
	for _, f := range facts {
		if len(f.narrowSpans) > 0 {
			whole[0][0] = min(whole[0][0], f.narrowSpans[0][0])
		}
	}
	says := p.source(whole).Text
	if strings.Contains(says, "(") && !strings.Contains(says, ")") {
		says += ")"
	}
	return fact{list: facts[0].list, spans: whole, says: says, query: query.And{Parts: parts}}
}

// pairs are where the pairs of a title and what is said of where end that begin at a
// fact, one behind the other.
func (p *parser) pairs(i int) (ends []int) {
	if i > 0 && p.facts[i-1].spans[0] == p.facts[i].spans[0] { // head of sales: two of one reading
		return nil
	}
	for at := i; at+1 < len(p.facts) && titles(p.facts[at]) && p.pairable(at); {
		end := at + 1
		for end < len(p.facts) && titles(p.facts[end]) && p.facts[end].spans[0] == p.facts[at].spans[0] {
			end++
		}
		first, place := end, p.whereFrom(i)
		for end < len(p.facts) && where(p.facts[end]) == place && place != "" && p.pairable(end) {
			end++
		}
		if end == first || at > i && !p.joinedTo(p.facts[at]) {
			break
		}
		ends = append(ends, end)
		at = end
	}
	return ends
}

// placedPairs are where the pairs of a place and a title, or a kind of companies, end that
// begin at a fact, the place being said before it or behind it: Italian winemakers and French
// chefs; French startups and German banks. The first may have none: lawyers and UK solicitors.
func (p *parser) placedPairs(i int) (ends []int) {
	kinds := p.kindOfCompanies(i) || i+1 < len(p.facts) && p.kindOfCompanies(i+1)
	for at := i; at < len(p.facts) && (at == i || p.joinedTo(p.facts[at])); {
		end := p.placedPair(at, kinds)
		if end < 0 && at == i && !kinds {
			end = p.unplaced(at)
		}
		if end < 0 {
			break
		}
		ends = append(ends, end)
		at = end
	}
	return ends
}

// placedPair is where the pair of a place and a title or a kind of companies ends that begins
// at a fact; -1 where none does.
func (p *parser) placedPair(i int, kinds bool) int {
	noun := p.nounEnd(i, kinds)
	if place := p.placeEnd(max(noun, i)); noun > 0 && place > 0 && !p.cueBefore(p.facts[noun].spans[0][0], cue.And, cue.Or) {
		return place
	}
	if place := p.placeEnd(i); place > 0 {
		return p.nounEnd(place, kinds)
	}
	return -1
}

// unplaced is where titles end behind which a place begins that is of the people named by it
// only; -1 where there is none.
func (p *parser) unplaced(i int) int {
	end := p.nounEnd(i, false)
	place := p.placeEnd(max(end, i))
	if end < 0 || place < 0 || !p.joinedTo(p.facts[end]) || p.nounEnd(place, false) < 0 {
		return -1
	}
	title := p.facts[place].spans[0]
	if p.facts[place-1].spans[0][1] != title[0] || !p.adjoins(title[0]) || !p.severalOf(segment.Span{From: title[0], To: title[1], Type: lexicon.Role}) {
		return -1
	}
	return end
}

// placeEnd is where a list of places ends that begins at a fact; -1 where none does.
func (p *parser) placeEnd(i int) int {
	return p.runEnd(i, func(at int) bool { return where(p.facts[at]) == segment.GroupPlace })
}

// nounEnd is where titles end that begin at a fact and are alternatives, or what one noun says
// of companies; -1 where none do.
func (p *parser) nounEnd(i int, kinds bool) int {
	if !kinds {
		return p.runEnd(i, func(at int) bool { return p.ofPeople(at) || titles(p.facts[at]) })
	}
	end := p.runEnd(i, p.kindOfCompanies)
	for end > 0 && end < len(p.facts) && p.kindOfCompanies(end) && p.oneNoun(p.facts[end-1].spans[0], p.facts[end].spans[0]) {
		end++
	}
	return end
}

// runEnd is where facts of one list or of one reading end that begin at a fact; -1 where
// that one is none of them.
func (p *parser) runEnd(i int, is func(int) bool) int {
	end := i
	for end < len(p.facts) && p.pairable(end) && is(end) && (end == i || p.facts[end].list == p.facts[i].list || p.facts[end].spans[0] == p.facts[i].spans[0]) {
		end++
	}
	if end == i {
		return -1
	}
	return end
}

// kindOfCompanies reports whether a fact says what companies are by a noun for many: banks.
func (p *parser) kindOfCompanies(i int) bool {
	f := p.facts[i]
	return f.group() == segment.GroupIndustry && f.kind() != kindOfSize && p.pairable(i) && p.areMany(segment.Span{From: f.spans[0][0], To: f.spans[0][1]})
}

// whereFrom is the group of the first fact behind a title that is not of it.
func (p *parser) whereFrom(title int) segment.Group {
	for _, f := range p.facts[title+1:] {
		if !titles(f) || f.spans[0] != p.facts[title].spans[0] {
			return where(f)
		}
	}
	return ""
}

// pairable reports whether a fact is of a present job, said once and behind the one
// before it.
func (p *parser) pairable(i int) bool {
	f := p.facts[i]
	return !f.not && f.when == current && f.query == nil && len(f.spans) == 1 && (i == 0 || f.spans[0][0] >= p.facts[i-1].spans[0][1] || f.spans[0] == p.facts[i-1].spans[0])
}

// isFounder reports whether a fact calls somebody a founder, as not all do who founded
// something before.
func (p *parser) isFounder(f fact) bool {
	return f.level == "founder" && strings.Contains(p.tokens[f.spans[0][1]-1].Norm, "founder")
}

// titles reports whether a fact says what people are.
func titles(f fact) bool {
	return f.group() == segment.GroupRole && !f.bare || f.group() == segment.GroupFunction
}

// where is the group of a fact that says where somebody is, what kind of company, or what
// they know; "" of all others.
func where(f fact) segment.Group {
	switch g := f.group(); g {
	case segment.GroupPlace, segment.GroupCompany, segment.GroupIndustry, segment.GroupSkill:
		return g
	}
	return ""
}

// closed reports whether no list of alternatives goes from one pair to another, or to a
// fact that is in none.
func (p *parser) closed(from int, ends []int) bool {
	pairOf := func(i int) int {
		if i < from {
			return -1
		}
		return slices.IndexFunc(ends, func(end int) bool { return i < end })
	}
	for i, f := range p.facts {
		for j, o := range p.facts {
			if f.list == o.list && pairOf(i) != pairOf(j) {
				return false
			}
		}
	}
	return true
}

// beginsPair reports whether a title behind "or" has a company or a kind of companies of
// its own, as the one before it has: CTOs at banks or CFOs at insurers.
func (p *parser) beginsPair(before, title fact) bool {
	if where(before) == "" || !titles(title) || !p.isCue(p.peek(1), cue.At, cue.In, cue.Of, cue.For, cue.With, cue.Know) {
		return false
	}
	first := slices.IndexFunc(p.facts, func(f fact) bool { return f.list == before.list })
	next, _ := p.next(p.at + 2)
	alike := next.Group() == where(before) || next.Type == lexicon.CompanyWord && where(before) == segment.GroupIndustry
	return first > 0 && titles(p.facts[first-1]) && alike
}

// beginsPlaced reports whether a place is of the title or the kind of companies behind it
// only, as those before have one of their own, or are named right before: US lawyers or UK
// solicitors; French startups or German banks; lawyers or UK solicitors.
func (p *parser) beginsPlaced(place fact) bool {
	next := p.peek(1)
	companies := (next.Type == lexicon.Industry || next.Type == lexicon.CompanyKind) && p.areMany(next)
	if where(place) != segment.GroupPlace || p.last < 0 || !companies && !p.severalOf(next) || !p.adjoining(next) {
		return false
	}
	b := p.facts[p.last]
	if titles(b) && !companies && p.lastAt == p.spans[p.at].From-1 && p.cueBefore(p.spans[p.at].From, cue.Or) {
		return true
	}
	if p.last < 1 {
		return false
	}
	noun := func(f fact) bool { return !companies && titles(f) || companies && f.group() == segment.GroupIndustry }
	at := p.last - 1
	for at > 0 && companies && noun(b) && noun(p.facts[at]) {
		at--
	}
	a := p.facts[at]
	return noun(a) && where(b) == segment.GroupPlace || where(a) == segment.GroupPlace && noun(b)
}
