package rules

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/rules/token"
)

// longNames makes one name of a school or a company and the words with capitals
// right behind it that are else taken for somebody's name: at Penguin Random House,
// who graduated from King's College London.
func (p *parser) longNames() {
	if !slices.ContainsFunc(p.tokens, func(t token.Token) bool { return t.Kind == token.Word && !t.Capital() }) {
		return
	}
	for i := 1; i < len(p.spans); i++ {
		group := p.spans[i].Group()
		if group != segment.GroupSchool && group != segment.GroupCompany || !p.isCue(p.spans[i-1], cue.At, cue.From, cue.Studied, cue.For, cue.Joined, cue.Left) || !p.tokens[p.spans[i].From].Capital() {
			continue
		}
		end := i + 1
		for end < len(p.spans) && p.goesOnAsName(p.spans[end]) {
			end++
		}
		if end == i+1 {
			continue
		}
		whole := segment.Span{From: p.spans[i].From, To: p.spans[end-1].To, Type: segment.Named, Sense: lexicon.Sense{Name: string(group)}}
		p.spans = slices.Replace(p.spans, i, end, whole)
	}
}

// goesOnAsName reports whether a reading is taken for somebody's name, and stands
// with capitals and no mark behind what is read before.
func (p *parser) goesOnAsName(s segment.Span) bool {
	if s.Type != segment.Name || !p.adjoining(s) {
		return false
	}
	return !slices.ContainsFunc(p.tokens[s.From:s.To], func(t token.Token) bool { return !t.Capital() })
}
