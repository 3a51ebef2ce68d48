package rules

import (
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// passOver leaves out what a cue says of somebody else, or of another time:
// "recruiters hiring nurses" are no nurses, who would move to Berlin is not there.
func (p *parser) passOver(s segment.Span, group segment.Group) {
	p.ignored = append(p.ignored, s)
	if group == segment.GroupRole && (p.last < 0 || p.facts[p.last].group() != group) {
		return
	}
	for p.at++; p.at < len(p.spans); p.at++ {
		next := p.spans[p.at]
		joins := p.isCue(next, cue.And, cue.Or) || next.Type == lexicon.Filler
		if next.Group() != group && (!joins || p.peek(1).Group() != group) {
			return
		}
		p.ignored = append(p.ignored, next)
	}
}

// preferred leaves out what is only preferred, up to the end of the clause: it
// must leave nobody out.
func (p *parser) preferred(s segment.Span) {
	p.ignored = append(p.ignored, s)
	first := p.at
	for p.at++; p.at < len(p.spans) && !p.mark(p.at, first); p.at++ {
		p.ignored = append(p.ignored, p.spans[p.at])
	}
	p.notes = append(p.notes, "what is only preferred is not asked for")
}
