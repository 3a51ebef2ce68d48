package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// presentEmployer ends what was said of a former job where a size, an industry or a kind of
// companies stands apart behind the name of the former employer, which has its own: who
// came from Intel, fewer than 200 employees; previously at KPMG, at startups.
func (p *parser) presentEmployer(f fact, s segment.Span) {
	switch f.kind() {
	case kindOfIndustry, kindOfSize, kindOfType, kindOfStage, kindOfSeat:
	default:
		return
	}
	if p.when == current || f.when != current || p.last < 0 || !p.formerNamed() {
		return
	}
	if p.isCue(p.peek(1), cue.Or) && !p.isCue(p.peek(-1), cue.In, cue.At) { // Acme, startups or agencies
		return
	}
	apart := false
	for at := p.lastAt; at <= s.From; at++ {
		if at > p.lastAt && p.tokens[at-1].Article() && p.tokens[at-1].Comma() || isJoining(p.tokens[at].Norm) && at < s.From { // Stripe, a fintech; or startups
			return
		}
		apart = apart || p.tokens[at].Comma() || p.tokens[at].Dash()
	}
	if apart {
		p.endScope()
	}
}

// formerNamed reports whether a company by its name is the last of which a former job is
// asked.
func (p *parser) formerNamed() bool {
	for i := p.last; i >= 0 && (p.facts[i].when == p.when || !p.facts[i].ofJob()); i-- {
		if f := p.facts[i]; f.name == query.FilterCompany {
			return !f.not
		}
	}
	return false
}

func isJoining(w string) bool { return w == "or" || w == "and" || w == "like" || w == "other" }

// movedOn ends what was said of a former employer by its name where "to" and the companies
// of today follow: who came from Intel to startups.
func (p *parser) movedOn() {
	if p.when == current || p.last < 0 || !p.formerNamed() {
		return
	}
	next, _ := p.next(p.at + 1)
	if next.InGroup(segment.GroupIndustry, segment.GroupCompany) || next.Type == lexicon.CompanyWord {
		p.endScope()
	}
}

// beganThere reports whether who began at a company, or joined as something, did so at the
// outset, not lately: no time is given, and no word says that it was just now.
func (p *parser) beganThere(s segment.Span) bool {
	if p.joinedAs() {
		return true
	}
	w := strings.TrimPrefix(p.words(s), "who ")
	if w != "started at" && w != "began at" && w != "started with" && w != "began with" {
		return false
	}
	if before := p.peek(-1); p.isRecent(before) || p.words(before) == "just" || p.words(before) == "newly" {
		return false
	}
	for i := p.at + 1; i < len(p.spans) && (i == p.at+1 || !p.tokens[p.spans[i].From].Stop()); i++ {
		o := p.spans[i]
		isTime := o.Type == segment.Quantity && slices.Contains([]quantity.Kind{quantity.Ago, quantity.Date}, o.Quantity.Kind)
		if isTime || p.isRecent(o) {
			return false
		}
		if o.Type == lexicon.Cue && !p.isCue(o, cue.And, cue.Or, cue.At, cue.In, cue.Of) {
			break
		}
	}
	return true
}

// nowElsewhere reports whether other companies stand behind those that people are from:
// engineers from Google at startups.
func (p *parser) nowElsewhere() bool {
	first, at := p.next(p.at + 1)
	for at < len(p.spans) && (p.spans[at].Group() == segment.GroupCompany || p.isCue(p.spans[at], cue.Or, cue.And)) && !p.tokens[p.spans[at].From].Stop() {
		at++
	}
	if first.Group() != segment.GroupCompany || at >= len(p.spans) || !p.adjoining(p.spans[at]) || p.words(p.spans[p.at]) != "from" {
		return false
	}
	s := p.spans[at]
	next, i := p.next(at + 1)
	for next.Is(segment.Unknown, lexicon.Nationality) { // at private hospitals
		next, i = p.next(i + 1)
	}
	return p.words(s) == "at companies" || p.isCue(s, cue.At) && (next.InGroup(segment.GroupIndustry, segment.GroupCompany) || next.Type == lexicon.CompanyWord)
}

// startedOut reports whether people, not companies, started in a field of work: it is one of
// any job. VPs who started in consulting.
func (p *parser) startedOut() bool {
	s := p.spans[p.at]
	w := strings.TrimPrefix(p.words(s), "who ")
	ofPeople := w != p.words(s) || p.words(p.peek(-1)) == "who"
	next, at := p.next(p.at + 1)
	in := w == "started in" || w == "started" && p.isCue(next, cue.In)
	if p.isCue(next, cue.In) {
		next, _ = p.next(at + 1)
	}
	switch next.Group() {
	case segment.GroupIndustry, segment.GroupFunction, segment.GroupRole:
		return in && ofPeople
	}
	return false
}

// joinedAs reports whether "as" and a title stand behind who joined, when they have another
// one now and no time is given: partners who joined as analysts.
func (p *parser) joinedAs() bool {
	next, at := p.next(p.at + 1)
	title, _ := p.next(at + 1)
	held := slices.ContainsFunc(p.facts, func(f fact) bool { return f.group() == segment.GroupRole && !f.not && f.when == current })
	timed := slices.ContainsFunc(p.spans[p.at:], func(s segment.Span) bool { return s.Type == segment.Quantity })
	return p.isCue(next, cue.As) && title.Group() == segment.GroupRole && held && !timed && !p.isRecent(p.peek(-1))
}

// spentOnce reports whether people spent a length of time at an employer, and may have left
// since: who spent five years at Acme, but not who have spent them there. What they spent it
// in is of any job.
func (p *parser) spentOnce(s segment.Span) bool {
	if p.stayedOnce(s) {
		return true
	}
	if s.From == 0 || p.tokens[s.From-1].Norm != "spent" && p.tokens[s.From-1].Norm != "did" {
		return false
	}
	if s.From > 1 {
		switch p.tokens[s.From-2].Norm {
		case "have", "has", "having", "whove", "ve":
			return false
		}
	}
	next, at := p.next(p.at + 1)
	if !p.isCue(next, cue.At, cue.With, cue.In) {
		return false
	}
	field, _ := p.next(at + 1)
	ofWork := field.InGroup(segment.GroupIndustry, segment.GroupFunction)
	if p.isCue(next, cue.In) && !ofWork {
		return false
	}
	p.beginPhrase(any)
	if slices.ContainsFunc(p.tokens[s.To:], func(t token.Token) bool { return t.Norm == "left" || t.Norm == "now" }) {
		p.when, p.gone = past, true
	}
	return !p.isCue(next, cue.In)
}

// stayedOnce reports whether a length of time is how long people stayed in a job that may have
// ended: who stayed two years at Acme, or lasted less than one. Who have stayed are there still.
func (p *parser) stayedOnce(s segment.Span) bool {
	words := p.spell(s)
	at := slices.IndexFunc(words, func(w string) bool { return w == "stayed" || w == "lasted" })
	if at < 0 || slices.ContainsFunc(words[:at], isHaving) {
		return false
	}
	if next, _ := p.next(p.at + 1); p.isCue(next, cue.At, cue.With) {
		p.beginPhrase(any)
	}
	for i := range p.facts {
		if f := &p.facts[i]; f.name == query.FilterCompany && f.when == current && !f.not {
			f.when = any
		}
	}
	return true
}

// movedInto reports whether a fact is of what people moved into, so that a time behind it says
// when they did: bankers who moved into private equity within the last year.
func (p *parser) movedInto(f fact) bool {
	if f.when != current || f.not || len(f.spans) == 0 {
		return false
	}
	for _, s := range p.spans {
		if s.To == f.spans[0][0] && p.isCue(s, cue.MovedTo) {
			return s.Len() > 1
		}
	}
	return false
}

// workplace is what one is called of the workplaces that people are at, none of which is named:
// those who work at zoos are at the Denver Zoo.
func (p *parser) workplace(s segment.Span) []string {
	many := p.words(s)
	if !p.isCue(p.peek(-1), cue.At) || s.Len() > 1 || p.tokens[s.From].Capital() {
		return nil
	}
	one := strings.TrimSuffix(many, "s")
	switch {
	case strings.HasSuffix(many, "ies"):
		one = strings.TrimSuffix(many, "ies") + "y"
	case strings.HasSuffix(many, "ches"), strings.HasSuffix(many, "shes"), strings.HasSuffix(many, "xes"), strings.HasSuffix(many, "sses"):
		one = strings.TrimSuffix(many, "es")
	}
	if !lexicon.IsPlural(one, many) {
		return nil
	}
	return []string{one}
}

// verbBehind reads the verb that German puts behind the employer, and reports whether one stands
// before it: die bei Acme gearbeitet haben.
func (p *parser) verbBehind(s segment.Span) bool {
	switch p.tokens[s.From].Norm {
	case "gearbeitet", "tatig", "beschaftigt", "angestellt", "waren":
	default:
		return false
	}
	if p.last < 0 || !p.rightBehind(s) || p.facts[p.last].group() != segment.GroupCompany && p.facts[p.last].group() != segment.GroupIndustry {
		return false
	}
	for f := range p.lastList() {
		if f.when == current {
			f.when = any
		}
	}
	return true
}
