package rules

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// tongues makes alternatives of pairs of languages, of each of which both are meant:
// translators German-English or German-Dutch.
func (p *parser) tongues() {
	for i := range p.facts {
		end := i
		for p.tonguePair(end) && (end == i || p.tokens[p.facts[end].spans[0][0]].Comma() || p.cueBefore(p.facts[end].spans[0][0], cue.And, cue.Or)) {
			end += 2
		}
		if end < i+4 {
			continue
		}
		var each []fact
		for k := i; k < end; k += 2 {
			a, b := p.facts[k], p.facts[k+1]
			b.list = p.lists + 1 // each of both
			each = append(each, p.allOf(a, b))
		}
		p.lists++
		one := p.oneOf(each)
		one.list = p.lists
		p.facts = slices.Replace(p.facts, i, end, one)
		return
	}
}

// tonguePair reports whether two facts are languages with a hyphen or a slash between.
func (p *parser) tonguePair(i int) bool {
	if i+1 >= len(p.facts) {
		return false
	}
	a, b := p.facts[i], p.facts[i+1]
	if !a.spoken || !b.spoken || a.not || b.not || len(a.spans) != 1 || len(b.spans) != 1 || a.spans[0][1] != b.spans[0][0] {
		return false
	}
	t := p.tokens[b.spans[0][0]]
	return t.Tight() || t.Slash()
}

// asTongue is the language of a people that is named right beside another language: receptionists
// Spanish English Miami.
func (p *parser) asTongue(s segment.Span) segment.Span {
	if s.Type != lexicon.Nationality {
		return s
	}
	isLanguage := func(o segment.Span) bool { return o.Type == lexicon.Language }
	language, ok := p.otherwise(s, isLanguage)
	if !ok {
		return s
	}
	for _, beside := range []segment.Span{p.peek(-1), p.peek(1)} {
		_, also := p.otherwise(beside, isLanguage)
		adjoins := beside.To == s.From && p.adjoining(s) && !p.tokens[s.From].Tight() || beside.From == s.To && p.adjoining(beside) && !p.tokens[s.To].Tight()
		if beside.To > 0 && adjoins && (isLanguage(beside) || beside.Type == lexicon.Nationality && also) {
			return language
		}
	}
	return s
}
