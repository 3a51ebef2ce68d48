package rules

import (
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// step is a search within the search, with what relates people to whom it
// finds; relation is nil where that is only what a later step is about.
type step struct {
	step     prompt.Step
	relation *prompt.Relation
}

// stepLimit is how many people a name or a title may stand for.
const stepLimit = 50

// maxSteps is how many searches a plan may make before the last.
const maxSteps = 8

// template reads a phrase that needs a search of its own, or that asks how jobs
// follow each other. It reports whether it did.
func (p *parser) template(c cue.Cue) bool {
	if p.depth > 0 || len(p.steps) == maxSteps {
		return false
	}
	switch c {
	case cue.WorkedWith:
		return p.relate(prompt.WorkedWith) || p.relateBehind()
	case cue.ExColleague:
		return p.relate(prompt.FormerColleague)
	case cue.Colleague, cue.SameCompany:
		return p.relate(prompt.AtTheirCompany) || c == cue.Colleague && p.relateBehind()
	case cue.SameSchool:
		return p.relate(prompt.SameSchool)
	case cue.With:
		return p.withSomebody()
	case cue.Colleagues:
		return p.relateBack(prompt.AtTheirCompany)
	case cue.ExColleagues:
		return p.relateBack(prompt.FormerColleague)
	case cue.Founded:
		return p.companyFounded()
	case cue.Moved, cue.Left:
		return p.move()
	case cue.MovedTo, cue.Joined:
		return p.moveBack() || p.newTitle() || p.became()
	case cue.CameBack:
		return p.cameBack()
	case cue.Promoted:
		return p.promoted()
	}
	return false
}

// relateBack does the same for the person before the cue: "Jane Doe's former
// colleagues".
func (p *parser) relateBack(kind prompt.RelationKind) bool {
	if p.at == 0 || !p.tokens[p.spans[p.at].From-1].Possessive {
		return false
	}
	from := p.at - 1
	for from > 0 && isReference(p.spans[from-1]) {
		from--
	}
	r, ok := p.reference(from)
	if !ok || r.end != p.at {
		return false
	}
	p.dropFacts(p.spans[from].From)
	if r.end++; kind == prompt.FormerColleague {
		p.workedAt(&r, cue.At, cue.From)
	}
	p.addStep(kind, r, from)
	p.at = r.end
	return true
}

// relateBehind relates people to the colleague whose name stands before the cue: "who did
// Jane Doe work with at Google".
func (p *parser) relateBehind() bool {
	if p.at == 0 || p.spans[p.at-1].Group() != segment.GroupName {
		return false
	}
	from := p.at - 1
	r := p.byName(from)
	r.end = p.at + 1
	p.workedAt(&r, cue.At)
	p.dropFacts(p.spans[from].From)
	p.addStep(prompt.WorkedWith, r, from)
	p.at = r.end
	return true
}

// workedAt reads the companies behind one of some prepositions that stands behind
// somebody: those where they were worked with.
func (p *parser) workedAt(r *reference, prepositions ...cue.Cue) {
	if !p.isCue(p.peekAt(r.end), prepositions...) {
		return
	}
	if end := p.companyEnd(r.end + 1); end > r.end+1 {
		r.jobs, r.end = p.subFilters(r.end+1, end), end
	}
}

// isReference reports whether a reading can be part of how a person is called.
func isReference(s segment.Span) bool {
	switch s.Group() {
	case segment.GroupName, segment.GroupRole, segment.GroupCompany, segment.GroupFunction:
		return true
	}
	return s.Type == lexicon.Cue && s.Sense.Name == string(cue.Of) || s.Type == lexicon.Filler
}

// dropFacts takes back the facts that were made of the tokens from a place on.
func (p *parser) dropFacts(from int) {
	for len(p.facts) > 0 {
		last := p.facts[len(p.facts)-1]
		if len(last.spans) == 0 || last.spans[0][0] < from {
			break
		}
		p.facts = p.facts[:len(p.facts)-1]
	}
	for len(p.names) > 0 && p.names[len(p.names)-1].From >= from {
		p.names = p.names[:len(p.names)-1]
	}
	p.last = len(p.facts) - 1
}

// addStep keeps a step and the relation to it; from is the reading that the
// phrase begins with.
func (p *parser) addStep(kind prompt.RelationKind, r reference, from int) {
	last := max(from, r.end-1, p.at)
	whole := p.source([][2]int{{p.spans[from].From, p.spans[min(last, len(p.spans)-1)].To}})
	s := step{
		step:     p.stepOf(kind, r),
		relation: &prompt.Relation{Source: whole, Kind: kind, Step: len(p.steps), Jobs: r.jobs, Excluded: p.not},
	}
	switch {
	case ofTimes(kind):
	case p.when == past:
		s.relation.Past = true
	case p.when == current:
		s.relation.Current = true
	}
	p.steps = append(p.steps, s)
	p.endNot()
	p.endScope()
}

// stepOf is the search for whoever is spoken of.
func (p *parser) stepOf(kind prompt.RelationKind, r reference) prompt.Step {
	source := p.source([][2]int{{r.from, r.to}})
	s := prompt.Step{Source: source, Says: source.Text, Filters: r.filters, Limit: stepLimit}
	if ofTimes(kind) && len(r.jobs) > 0 {
		s.Filters = withAny(s.Filters, r.jobs)
	}
	return s
}

// ofTimes reports whether a relation is about times that were spent together.
func ofTimes(kind prompt.RelationKind) bool {
	return kind == prompt.WorkedWith || kind == prompt.FormerColleague || kind == prompt.SameSchool
}

// withAny narrows who is meant by the company where they were worked with.
func withAny(filters, jobs query.Filters) query.Filters {
	out := query.Filters{}
	for name, value := range filters {
		out[name] = value
	}
	for name, value := range jobs {
		if _, given := out[moved(name, any)]; !given {
			out[moved(name, any)] = value
		}
	}
	return out
}

// addSteps puts the steps into the plan.
func (p *parser) addSteps(plan *prompt.Plan) {
	for _, s := range p.steps {
		plan.Steps = append(plan.Steps, s.step)
		if s.relation != nil {
			plan.Relations = append(plan.Relations, *s.relation)
		}
	}
}

// theirCompany reads "at Jane Doe's company".
func (p *parser) theirCompany(s segment.Span) bool {
	next := p.peek(1)
	if p.depth > 0 || s.Group() != segment.GroupCompany || !p.tokens[s.To-1].Possessive || next.Type != lexicon.CompanyWord && !p.isCue(next, cue.Company) {
		return false
	}
	r := reference{filters: query.Filters{query.FilterPersonName: alternative(p.text(s))}, from: s.From, to: s.To, end: p.at + 2}
	p.addStep(prompt.AtTheirCompany, r, p.at)
	p.at += 2
	return true
}

// theirEmployers reads "companies where Jane Doe used to work" and "Jane Doe's former
// companies".
func (p *parser) theirEmployers(s segment.Span) bool {
	if p.depth > 0 || len(p.steps) == maxSteps || s.Len() < 2 || s.Type != segment.Name && (s.Type != segment.Named || s.Group() != segment.GroupCompany) {
		return false
	}
	kind, end := p.employersOf(s)
	if kind == "" {
		return false
	}
	p.endScope()
	r := reference{filters: query.Filters{query.FilterPersonName: alternative(p.text(s))}, from: s.From, to: s.To, end: end}
	p.addStep(kind, r, p.at)
	p.at = end
	return true
}

// employersOf is which employers of somebody are spoken of, and the place behind the words
// that say so.
func (p *parser) employersOf(s segment.Span) (kind prompt.RelationKind, end int) {
	next, end := p.peek(1), p.at+1
	switch possessive := p.tokens[s.To-1].Possessive; {
	case possessive && p.isCue(next, cue.Past) && p.peek(2).Type == lexicon.CompanyWord:
		return prompt.AtTheirPastCompany, p.at + 3
	case possessive && next.Sense.Name == "employers":
		return prompt.AtTheirPastCompany, p.at + 2
	case possessive || !p.companyBefore(p.at):
		return "", end
	case p.isCue(next, cue.Past, cue.Any):
		kind = prompt.AtTheirPastCompany
	case p.isCue(next, cue.Work):
		kind = prompt.AtTheirCompany
	}
	for end++; p.isCue(p.peekAt(end), cue.Work) || hasWord(p.words(p.peekAt(end)), "work"); {
		end++
	}
	switch {
	case kind != "" && p.isCue(p.peekAt(end), cue.At, cue.For):
		return kind, end + 1
	case p.words(p.peek(-1)) == "where" && !p.isCue(p.peekAt(end), cue.With):
		return kind, end
	}
	return "", end
}

// companyFounded reads "the company Jane Doe founded" and "companies founded by
// Jane Doe".
func (p *parser) companyFounded() bool {
	if next, at := p.next(p.at + 1); p.isCue(next, cue.By) {
		r, ok := p.reference(at + 1)
		if !ok {
			r, ok = p.whoever(at + 1)
		}
		if !ok {
			return false
		}
		p.addStep(prompt.AtCompanyFounded, r, p.at)
		p.at = r.end
		return true
	}
	from := p.at - 1
	for from >= 0 && p.spans[from].Type == lexicon.Filler {
		from--
	}
	if from < 1 || p.spans[from].Group() != segment.GroupName || !p.companyBefore(from) {
		return false
	}
	r, ok := p.reference(from)
	if !ok {
		return false
	}
	p.dropFacts(p.spans[from].From)
	r.end = p.at + 1
	p.addStep(prompt.AtCompanyFounded, r, from)
	p.at++
	return true
}

// companyBefore reports whether "the company", with "that" or not, stands before
// a reading.
func (p *parser) companyBefore(at int) bool {
	for i := at - 1; i >= 0 && i >= at-3; i-- {
		switch s := p.spans[i]; {
		case s.Type == lexicon.CompanyWord, s.Type == lexicon.CompanyKind, p.isCue(s, cue.Company):
			return true
		case !s.Is(lexicon.Filler, lexicon.Cue) && p.words(s) != "that" && p.words(s) != "which":
			return false
		}
	}
	return false
}
