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
	for next := p.peek(1); next.Group() == group || p.isCue(next, cue.And, cue.Or) && p.peek(2).Group() == group || next.Type == lexicon.Filler && p.peek(2).Group() == group; next = p.peek(1) {
		p.ignored = append(p.ignored, next)
		p.at++
	}
	p.at++
}

// preferred leaves out what is only preferred, up to the end of the clause: it
// must leave nobody out.
func (p *parser) preferred(s segment.Span) {
	p.ignored = append(p.ignored, s)
	for p.at++; p.at < len(p.spans); p.at++ {
		next := p.spans[p.at]
		if t := p.tokens[next.From]; t.Comma() || t.Stop() {
			break
		}
		p.ignored = append(p.ignored, next)
	}
	p.notes = append(p.notes, "what is only preferred is not asked for")
}
