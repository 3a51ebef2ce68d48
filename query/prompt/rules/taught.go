package rules

import (
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// taught reads an industry, a field of work or what is not understood as what somebody is a
// professor or a curator of: professors of education, of limnology, curators of photography; also in a list that begins with a
// field of study: professors of sociology or education.
func (p *parser) taught(s segment.Span) bool {
	unread := s.Type == segment.Unknown && !p.tokens[s.From].Capital()
	if !s.Is(lexicon.Industry, lexicon.Function) && !unread || p.not || isCompanies(p.tokens[s.To-1].Norm) {
		return false
	}
	listed := p.behindSubject(s) && p.cueBefore(s.From, cue.And, cue.Or)
	teaches := p.isCue(p.peek(-1), cue.Of) && p.peek(-2).Group() == segment.GroupRole && segment.Teaches(p.words(p.peek(-2)))
	if before := p.words(p.peek(-2)); p.isCue(p.peek(-1), cue.Of) && (before == "curator" || before == "curators" || before == "keeper" || before == "keepers") {
		p.add(fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}, s)
		return true
	}
	if !listed && !teaches {
		return false
	}
	list := 0
	if listed {
		list = p.facts[p.last].list
	}
	text := alternative(p.text(s))
	p.add(fact{name: query.FilterPosition, values: []string{text}, says: p.text(s) + " in the title"}, s)
	if list == 0 {
		list = p.facts[p.last].list
	}
	p.facts[p.last].list = list
	p.add(fact{name: query.FilterFieldOfStudy, values: []string{text}, says: asStudy}, s)
	p.facts[p.last].list = list
	return true
}

// asStudy is what is said of the field of study that makes one question with the same
// word in the title.
const asStudy = "as field of study"
