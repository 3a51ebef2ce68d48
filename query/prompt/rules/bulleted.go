package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/token"
)

// bulleted makes one question of a bulleted list of which each entry names a job, where
// something is said of one: • a plant manager with automotive experience • two technicians.
func (p *parser) bulleted() {
	starts, end := p.bullets()
	entryOf := func(f fact) int {
		at := f.spans[0][0]
		if at >= end {
			return -1
		}
		return slices.IndexFunc(starts, func(s int) bool { return s > at }) - 1
	}
	starts = append(starts, end)
	from := slices.IndexFunc(p.facts, func(f fact) bool { return entryOf(f) >= 0 })
	if len(starts) < 3 || from < 0 {
		return
	}
	to := from
	var each []fact
	more := false
	for to < len(p.facts) && entryOf(p.facts[to]) >= 0 {
		first, entry := to, entryOf(p.facts[to])
		for to < len(p.facts) && entryOf(p.facts[to]) == entry {
			if f := p.facts[to]; f.not || f.query != nil || len(f.spans) > 1 {
				return
			}
			to++
		}
		if !slices.ContainsFunc(p.facts[first:to], titles) {
			return
		}
		more = more || !titles(p.facts[to-1]) && to < len(p.facts) && entryOf(p.facts[to]) >= 0 // what is said behind the last one may be of all
		each = append(each, p.allOf(p.facts[first:to]...))
	}
	if more && len(each) > 1 && !slices.ContainsFunc(p.facts[to:], func(f fact) bool { return entryOf(f) >= 0 }) {
		p.facts = slices.Replace(p.facts, from, to, p.oneOf(each))
	}
}

// bullets are the tokens with which the entries of a bulleted list begin, and the one
// behind the list.
func (p *parser) bullets() (starts []int, end int) {
	colon := -1 // where a list may begin without a bullet
	end = len(p.tokens)
	for i, t := range p.tokens {
		switch bulleted := t.Entry() && strings.ContainsAny(t.Gap, token.Bullets); {
		case bulleted && len(starts) == 0 && colon >= 0:
			starts = []int{colon, i}
		case bulleted:
			starts = append(starts, i)
		case len(starts) == 0 && strings.ContainsAny(t.Gap, ":.!?\n"):
			if colon = -1; strings.Contains(t.Gap, ":") {
				colon = i
			}
		case len(starts) > 0 && strings.ContainsAny(t.Gap, ".!?\n"):
			return starts, i
		}
	}
	return starts, end
}
