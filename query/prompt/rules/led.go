package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// ledFields makes a title of what somebody is said to direct and no list has as a field of
// work: head of sixth form, responsible for fleet, director of rooms, runs clinical affairs.
func (p *parser) ledFields() {
	for i := 0; i < len(p.spans); i++ {
		for from := p.ledAt(i); from > 0 && from < len(p.spans); {
			to := from
			for to < len(p.spans) && p.adjoining(p.spans[to]) && p.mayBeLed(p.spans[to]) {
				to++
			}
			if to == from || !p.ledEnds(to) || !slices.ContainsFunc(p.spans[from:to], isFieldUnlisted) {
				break
			}
			p.spans = slices.Replace(p.spans, from, to, p.ledField(p.spans[from:to]))
			i, from = from, from+2
			if !p.isCue(p.peekAt(from-1), cue.And, cue.Or) {
				break
			}
		}
	}
}

// ledField is the title of those who direct what some readings say.
func (p *parser) ledField(spans []segment.Span) segment.Span {
	s := segment.Span{From: spans[0].From, To: spans[len(spans)-1].To, Type: lexicon.Role}
	s.Sense = lexicon.Title(token.Norms(p.tokens[s.From:s.To]))
	s.Sense.Values = []string{alternative(p.text(s))}
	if len(spans) == 1 && spans[0].Type == lexicon.FieldOfStudy {
		s.Sense.Values = spans[0].Sense.Values
	}
	return s
}

// ledAt is where what is directed begins, behind the words of a place for being in charge or
// behind a level and "of"; 0 where none are there.
func (p *parser) ledAt(i int) int {
	s := p.spans[i]
	if s.Type != lexicon.Leader {
		return 0
	}
	i++
	if len(s.Sense.Values) == 1 {
		several := strings.HasSuffix(p.tokens[s.To-1].Norm, "s") // directors of dog parks
		if s.Sense.Values[0] == "manager" || several || !p.isCue(p.peekAt(i), cue.Of) {
			return 0
		}
		i++
	}
	for i < len(p.spans) && p.words(p.spans[i]) == "the" {
		i++
	}
	return i
}

// mayBeLed reports whether a reading may be a word of what somebody directs.
func (p *parser) mayBeLed(s segment.Span) bool {
	return s.Type == segment.Unknown && p.tokens[s.From].Kind == token.Word || s.Is(lexicon.Modifier, lexicon.FieldOfStudy) || s.Group() == segment.GroupFunction
}

// isFieldUnlisted reports whether a reading is of no field of work.
func isFieldUnlisted(s segment.Span) bool { return s.Group() != segment.GroupFunction }

// ledEnds reports whether what somebody directs ends before a place: an end, a mark or a
// preposition.
func (p *parser) ledEnds(at int) bool {
	return at >= len(p.spans) || p.mark(at, at-1) || p.isCue(p.spans[at], cue.In, cue.At, cue.For, cue.Near, cue.Lives, cue.From, cue.With, cue.And, cue.Or)
}
