package rules

import (
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// isTerms lists the words for the terms of a job, which say nothing of how high it is.
func isTerms(w string) bool {
	switch w {
	case "freelance", "freelancing", "interim", "fractional":
		return true
	}
	return false
}

// termsAhead asks for the terms of a job as a word of the title, also where a level, a
// language or a trade stands between the two: freelance German translators, interim bilingual
// HR managers, senior freelance copywriters.
func (p *parser) termsAhead(s segment.Span) bool {
	w := p.words(s)
	if !isTerms(w) || p.not || p.isCue(p.peek(-1), cue.And, cue.Or) {
		return false
	}
	to := p.at + 1
	for to < len(p.spans) && p.adjoining(p.spans[to]) && p.ofTerms(p.spans[to]) {
		to++
	}
	title := p.peekAt(to)
	if title.Group() != segment.GroupRole || title.Type == lexicon.Seniority || !p.adjoining(title) || to == p.at+1 && len(p.levels) == 0 {
		return false
	}
	f := fact{name: query.FilterPosition, values: []string{w}, both: true, spans: [][2]int{{s.From, s.To}}, when: p.when}
	p.lists++
	f.list = p.lists
	p.facts = append(p.facts, f)
	return true
}

// ofTerms reports whether a reading may stand between the terms of a job and its title.
func (p *parser) ofTerms(s segment.Span) bool {
	switch s.Group() {
	case segment.GroupSkill, segment.GroupIndustry, segment.GroupPlace, segment.GroupCompany, segment.GroupFunction:
		return true
	}
	switch s.Type {
	case lexicon.Seniority, lexicon.Judgement, lexicon.Modifier, segment.Unknown:
		return true
	case lexicon.Filler:
		return !lexicon.IsRankWord(p.words(s))
	}
	w := p.words(s) // French to English
	return w == "to" || w == "and" || w == "into"
}

// retired makes past what people are said to have retired from: retired judges, who have
// retired, retired from Acme. Who has not retired is there now.
func (p *parser) retired(s segment.Span) bool {
	if p.words(s) != "retired" || s.Sense.Name != "jobless" || p.tokens[s.From].Tight() {
		return false
	}
	p.ignored = append(p.ignored, s)
	if p.not {
		p.endNot()
		return true
	}
	next, at := p.next(p.at + 1)
	before := p.peek(-1)
	if p.tokens[max(0, s.From-1)].Article() {
		before = p.peek(-2)
	}
	switch {
	case p.isCue(before, cue.Or) && p.isTitled(): // or a retired accountant
		p.note(unanswered(s))
	case p.words(next) == "from", next.InGroup(segment.GroupRole, segment.GroupCompany, segment.GroupFunction) && p.adjoining(next):
		p.when, p.gone, p.spent = past, true, false
		p.verb = p.words(next) == "from" || p.companyFrom(at+1)
	case p.isTitled() && (at == len(p.spans) || p.mark(at, p.at) || next.Type == lexicon.Cue && !p.isCue(next, cue.Soft)): // retired is fine
		p.end(true, isTitle)
	default:
		p.note(unanswered(s))
	}
	return true
}

// noLeads leaves out who has the word in the title, not everyone in charge of something: no
// leads, not leads or managers.
func (p *parser) noLeads(s segment.Span) bool {
	if w := p.words(s); !p.not || w != "leads" && w != "lead" {
		return false
	}
	if next := p.peek(1); p.at+1 < len(p.spans) && p.adjoining(next) && !p.isCue(next, cue.And, cue.Or, cue.In, cue.At) && next.Type != lexicon.Filler {
		return false
	}
	p.add(fact{name: query.FilterPosition, values: []string{"lead", "leader"}}, s)
	return true
}
