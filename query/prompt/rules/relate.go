package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// relate reads whoever stands behind the present cue and relates people to them:
// "worked with Jane Doe and John Roe, but not with Max Moe".
func (p *parser) relate(kind prompt.RelationKind) bool {
	r, ok := p.reference(p.at + 1)
	if !ok && p.relateToRelated(kind) {
		return true
	}
	if !ok && ofTimes(kind) {
		r, ok = p.anybody(p.at + 1)
	}
	if !ok {
		return false
	}
	others, end := p.alsoNamed(r.end)
	from, not := p.at, p.not
	if !not {
		r, others = anyOf(kind, r, others)
	}
	p.addStep(kind, r, from)
	for _, o := range others {
		if len(p.steps) == maxSteps {
			break
		}
		p.not = not || o.not
		p.addStep(kind, o.reference, o.at)
	}
	p.at = end
	return true
}

// other is one more person of a list, named by the reading at a place, and joined to
// the one before by "or", or left out.
type other struct {
	reference
	at      int
	or, not bool
}

// alsoNamed reads the names that go on with a list of people, and where they end.
func (p *parser) alsoNamed(at int) (all []other, end int) {
	var o other
	for {
		var ok bool
		if o, ok = p.another(at, o.not); !ok {
			return all, at
		}
		all, at = append(all, o), o.end
	}
}

// another reads one more name. Where it is said who is left out, a name that
// nobody knows is a person's, too.
func (p *parser) another(at int, not bool) (other, bool) {
	o := other{not: not}
	joined := at < len(p.spans) && p.tokens[p.spans[at].From].Comma()
	for ; at < len(p.spans); at++ {
		s := p.spans[at]
		switch {
		case p.tokens[s.From].Stop():
			return o, false
		case p.isCue(s, cue.Or):
			o.or, joined = true, true
		case p.isCue(s, cue.And, cue.But):
			joined = true
		case p.isCue(s, cue.Not, cue.NotAt):
			o.not, joined = true, true
		case p.isCue(s, cue.With):
		case !joined || p.tokens[s.To-1].Possessive:
			return o, false
		case s.Group() == segment.GroupName:
			o.reference, o.at = p.byName(at), at
			return o, true
		case o.not && s.Type == segment.Named && s.Group() == segment.GroupCompany:
			o.reference, o.at = reference{filters: query.Filters{query.FilterPersonName: alternative(p.text(s))}, from: s.From, to: s.To, end: at + 1}, at
			return o, true
		default:
			return o, false
		}
	}
	return o, false
}

// anyOf makes one search of a list with "or" in it, and returns who is left. Nobody
// works at the companies of several at once, so that their colleagues are those of
// any of them.
func anyOf(kind prompt.RelationKind, r reference, others []other) (reference, []other) {
	n, or := 0, !ofTimes(kind)
	for n < len(others) && !others[n].not && others[n].onlyNamed() {
		or = or || others[n].or
		n++
	}
	if !or || !r.onlyNamed() {
		return r, others
	}
	for _, o := range others[:n] {
		r.filters = query.Filters{query.FilterPersonName: r.filters[query.FilterPersonName] + ", " + o.filters[query.FilterPersonName]}
		r.to, r.end = o.to, o.end
	}
	return r, others[n:]
}

// onlyNamed reports whether no more is known of somebody than the name.
func (r reference) onlyNamed() bool {
	_, named := r.filters[query.FilterPersonName]
	return named && len(r.filters) == 1 && len(r.jobs) == 0
}

// withSomebody reads a name behind where people once worked or studied: worked at Acme with
// Jane Doe, went to Oxford with her.
func (p *parser) withSomebody() bool {
	s := p.spans[p.at]
	if p.last < 0 || p.lastAt != s.From || p.facts[p.last].not || p.peek(1).Group() != segment.GroupName {
		return false
	}
	var named []string
	first := s.From
	for f := range p.lastList() {
		named, first = append(named, f.values...), min(first, f.spans[0][0])
	}
	last, r := p.facts[p.last], p.byName(p.at+1)
	switch {
	case last.name == query.FilterFieldOfStudy && p.verbs == cue.Studied:
		p.addStep(prompt.SameSchool, r, p.at)
	case last.name == query.FilterSchool:
		r.filters[query.FilterSchool] = strings.Join(named, ", ")
		p.addStep(prompt.SameSchool, r, p.at)
	case last.name == query.FilterCompany && last.when != current:
		r.jobs = query.Filters{query.FilterCompany: strings.Join(named, ", ")}
		from := slices.IndexFunc(p.spans, func(o segment.Span) bool { return o.From == first })
		p.dropFacts(first)
		p.addStep(prompt.WorkedWith, r, from)
	case last.name == query.FilterCompany && p.words(s) == "with": // engineers at Acme with Jane Doe: they are there still
		r.jobs = query.Filters{query.FilterCompany: strings.Join(named, ", ")}
		p.addStep(prompt.WorkedWith, r, p.at)
	default:
		return false
	}
	p.at = r.end
	return true
}

// relateToRelated reads people who are themselves described by whom they are
// related to: "worked with people who studied with Jane Doe".
func (p *parser) relateToRelated(kind prompt.RelationKind) bool {
	at := p.at + 1
	for at < len(p.spans) && p.spans[at].Is(lexicon.Filler, lexicon.PersonWord) && !p.mark(at, p.at) {
		at++
	}
	if at == len(p.spans) || len(p.steps)+2 > maxSteps {
		return false
	}
	inner, ok := relationOf(p.spans[at])
	if !ok {
		return false
	}
	r, ok := p.reference(at + 1)
	if !ok {
		return false
	}
	p.steps = append(p.steps, step{step: p.stepOf(inner, r)})
	theirs := prompt.Relation{
		Source: p.source([][2]int{{p.spans[at].From, r.to}}), Kind: inner, Step: len(p.steps) - 1, Jobs: r.jobs,
	}
	p.addStep(kind, reference{from: p.spans[p.at+1].From, to: r.to, end: r.end}, p.at)
	p.steps[len(p.steps)-1].step.Relations = []prompt.Relation{theirs}
	p.at = r.end
	return true
}

// relationOf is the relation that a cue asks for with the name behind it.
func relationOf(s segment.Span) (prompt.RelationKind, bool) {
	if s.Type != lexicon.Cue {
		return "", false
	}
	switch cue.Cue(s.Sense.Name) {
	case cue.WorkedWith:
		return prompt.WorkedWith, true
	case cue.ExColleague:
		return prompt.FormerColleague, true
	case cue.Colleague, cue.SameCompany:
		return prompt.AtTheirCompany, true
	case cue.SameSchool:
		return prompt.SameSchool, true
	}
	return "", false
}
