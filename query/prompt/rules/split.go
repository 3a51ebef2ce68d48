package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// rankedTitles parts a rank from its title where another one is joined with it or asked for
// before it: of senior but not lead designers, designers are looked for.
func (p *parser) rankedTitles() {
	for i := 2; i < len(p.spans); i++ {
		s, before := p.spans[i], i-2
		if i > 2 && p.isCue(p.spans[i-2], cue.But) {
			before--
		}
		if s.Type != lexicon.Role || s.Len() < 2 || !p.isCue(p.spans[i-1], cue.Not, cue.Or, cue.And) || !p.isGrade(p.spans[before]) || !lexicon.IsRankWord(p.tokens[s.From].Norm) {
			continue
		}
		rank, found := p.readingOf(s.From, s.From+1, func(o segment.Span) bool { return o.Is(lexicon.Seniority, lexicon.Filler) || p.isCue(o, cue.Leads) })
		title, titled := p.readingOf(s.From+1, s.To, func(o segment.Span) bool { return o.Group() == segment.GroupRole })
		if found && titled {
			p.spans = slices.Replace(p.spans, i, i+1, rank, title)
			if b := p.spans[before]; b.Type == lexicon.Role { // principal or lead engineers
				p.spans[before] = segment.Span{From: b.From, To: b.To, Type: lexicon.Filler, Sense: lexicon.Sense{Name: "rank"}}
			}
		}
	}
}

// isGrade reports whether a reading is a level that stands before titles, and is none itself
// as a director is.
func (p *parser) isGrade(s segment.Span) bool {
	if strings.HasPrefix(s.Sense.Name, "mid") || lexicon.IsRankWord(p.words(s)) {
		return true
	}
	return s.Type == lexicon.Seniority && !strings.HasSuffix(p.words(s), "s") && slices.Contains([]string{"entry", "senior", "lead"}, s.Sense.Values[0])
}

// furtherPeople makes "and" of a "plus" between two kinds of people: nurses in Leeds plus
// doctors in York.
func (p *parser) furtherPeople() {
	for i := 1; i+1 < len(p.spans); i++ {
		s, at := p.spans[i], i+1
		if p.words(s) != "plus" || !p.isCue(s, cue.With) || !slices.ContainsFunc(p.spans[:i], isJob) {
			continue
		}
		for at+1 < len(p.spans) && p.spans[at].Group() != segment.GroupRole && p.adjoining(p.spans[at]) {
			at++
		}
		if p.severalOf(p.spans[at]) || p.spans[at].Group() == segment.GroupRole && p.tokens[s.To].Article() {
			p.spans[i].Sense.Name = string(cue.And)
		}
	}
}

// readingOf is what some tokens can mean that is wanted.
func (p *parser) readingOf(from, to int, wanted func(segment.Span) bool) (segment.Span, bool) {
	for _, o := range p.others[from] {
		if o.To == to && wanted(o) {
			return o, true
		}
	}
	return segment.Span{}, false
}
