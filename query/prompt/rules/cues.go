package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// readCue changes the scope as a cue says.
func (p *parser) readCue(s segment.Span, c cue.Cue) {
	if p.getsOn(s) || p.template(c) || (c == cue.Not || c == cue.But) && p.notThatRank() {
		return
	}
	switch c {
	case cue.In, cue.Near, cue.Lives, cue.At, cue.For, cue.From, cue.Of, cue.By, cue.As, cue.Seat, cue.With, cue.Know:
		if p.aside(s, c) || c == cue.Know && p.without(s) {
			return
		}
		p.preposition(p.placing(s, c))
	case cue.Past, cue.Left, cue.Alumni, cue.Alumnus, cue.Any, cue.Now, cue.Work, cue.PreviousJob, cue.Joined:
		p.tense(s, c)
	case cue.Not, cue.NotAt:
		if p.portuguese(s) {
			p.preposition(cue.At)
			return
		}
		p.negation(c)
	case cue.But:
		p.not, p.notGroup = p.leavesOut(), ""
	case cue.Both:
		p.both = !p.ofTwo(s)
	case cue.Studied, cue.Majored, cue.Founded, cue.Graduate:
		p.verbOfYear(c)
	case cue.Named:
		p.prep, p.prepAt = c, p.at+1
	case cue.WorkedWith, cue.Colleague:
		p.withOthers(s)
	case cue.Leads:
		p.readLeads(s)
	case cue.Serves:
		p.serves(s)
	case cue.Soft:
		p.preferred(s)
	case cue.Elsewhere:
		p.elsewhere(s)
	case cue.Moved:
		if p.placeFollows() {
			p.elsewhere(s)
		} else {
			p.tense(s, cue.Left)
		}
	case cue.MovedTo:
		if p.purpose() {
			return
		}
		p.movedOn()
		if p.reports(s) {
			p.passOver(s, segment.GroupRole)
		}
	case cue.Rivals:
		p.passOver(s, segment.GroupCompany)
		p.note(rivalsNote)
	}
}

// ofTwo reports whether "both" stands for two people of whom something is said: both should
// live in Spain or France.
func (p *parser) ofTwo(s segment.Span) bool {
	if s.To == len(p.tokens) {
		return true
	}
	switch p.tokens[s.To].Norm {
	case "should", "must", "need", "have", "are", "of", "live", "work", "will", "can", "would":
		return true
	}
	return false
}

// placeFollows reports whether a place is the next reading that says something, and no seat of
// companies: who moved from Paris, not from Paris banks.
func (p *parser) placeFollows() bool {
	next, at := p.next(p.at + 1)
	return next.Group() == segment.GroupPlace && !p.ofKind(at)
}

// preposition notes what stands before the next reading. One that speaks of an
// employer ends a past phrase that has named one.
func (p *parser) preposition(c cue.Cue) {
	p.prep, p.prepAt = c, p.at+1
	p.titleIsPast(c)
	switch c {
	case cue.At, cue.For:
		if p.spent && (!p.continues() || p.kindFollows()) && !p.isCue(p.peek(-1), cue.Not) {
			p.endScope()
		}
	case cue.Lives:
		p.not = p.not && p.notGroup == ""
	}
	if c != cue.In && c != cue.Of && c != cue.As && c != cue.From {
		p.verbs = keepVerb(p.verbs, c)
	}
	if (!p.continues() || strings.HasPrefix(p.words(p.spans[p.at]), "who ")) && p.notGroup != "" && !p.heading() {
		p.endNot()
	}
	switch {
	case p.verb && p.saysNow(c):
		p.endScope()
	case p.verb:
	case c == cue.From && p.comingFrom():
		p.when, p.gone, p.spent = past, true, false
	case p.ofExperience(c), c == cue.From && p.ofOrigin():
		p.experienceBehind(p.spans[p.at]) // a background of finance in sales
		p.when, p.gone, p.spent = any, false, false
	case c == cue.Know: // fintech experience in London
		p.experienceBehind(p.spans[p.at])
	}
}

// ofExperience reports whether a function or an industry follows that somebody
// has experience in, or a background in: it may be of any job.
func (p *parser) ofExperience(c cue.Cue) bool {
	next, at := p.next(p.at + 1)
	if p.isCue(next, cue.Both) {
		next, _ = p.next(at + 1)
	}
	switch next.Group() {
	case segment.GroupFunction, segment.GroupIndustry, segment.GroupCompany:
	default:
		return false
	}
	switch c {
	case cue.Know:
		return slices.ContainsFunc(strings.Fields(p.words(p.spans[p.at])), saysExperience)
	case cue.In:
		before := p.peek(-1)
		return before.Type == segment.Quantity && hasWord(p.words(before), "experience") || next.Group() == segment.GroupIndustry && segment.IsProject(p.words(before)) // rollouts in manufacturing
	}
	return false
}

// saysExperience reports whether a word means experience, in whatever language.
func saysExperience(w string) bool {
	switch w {
	case "experiencia", "esperienza", "erfahrung", "ervaring", "know", "knows", "knowing", "understands", "understand":
		return true
	}
	return lexicon.IsExperience(w)
}

// keepVerb keeps a verb that what follows the preposition may still belong to.
func keepVerb(v, prep cue.Cue) cue.Cue {
	if prep == cue.At && (v == cue.Joined || v == cue.Studied || v == cue.Left) {
		return v
	}
	return cue.None
}

// continues reports whether a conjunction or a comma stands right before the
// present reading, so that it goes on with the list before.
func (p *parser) continues() bool {
	if p.at == 0 {
		return false
	}
	return p.isCue(p.spans[p.at-1], cue.And, cue.Or) || p.tokens[p.spans[p.at].From].Comma()
}

// tense sets which jobs what follows is about.
func (p *parser) tense(s segment.Span, c cue.Cue) {
	if !p.continues() {
		p.not, p.notGroup = p.not && p.notGroup == "", ""
	}
	switch c {
	case cue.Past:
		if p.words(s) == "ex" && p.leavesOut() {
			p.beginNot()
			return
		}
		p.past(s)
	case cue.Left:
		p.leave(s)
	case cue.Alumni:
		p.beginPhrase(past)
	case cue.Alumnus, cue.Graduate:
		p.endScope()
	case cue.Any:
		if p.onceThere(s) || p.verbBehind(s) || p.when == past && p.verb && p.prepAt != p.at || p.experienceBehind(s) || p.ofUnread(s) || p.amountFollows(s) || p.without(s) { // used to have worked
			return
		}
		p.beginPhrase(any)
	case cue.PreviousJob:
		if _, at := p.next(p.at + 1); at >= len(p.spans) && p.last >= 0 && p.facts[p.last].ofJob() {
			p.previousBehind()
			return
		}
		p.beginPhrase(previous)
	case cue.Now:
		p.turnedInto(s)
		p.endScope()
	case cue.Work:
		if before := p.peek(-1); !p.isCue(before, cue.Past, cue.Any, cue.Not) {
			p.endScope()
		}
	case cue.Joined:
		if p.beganThere(s) {
			p.beginPhrase(any)
			return
		}
		p.endScope()
		if strings.HasSuffix(p.words(s), " to") && p.placeFollows() { // who came to Berlin
			p.preposition(cue.Lives)
			return
		}
		p.verbs = cue.Joined
		p.lately(s, query.FilterTenureYears)
	}
}

// past begins a past phrase: of one word after "ex-", else up to the employer.
// With nothing behind it, it says when the last job was.
func (p *parser) past(s segment.Span) {
	next, at := p.next(p.at + 1)
	if p.onlyThere(next, at) {
		p.at = at
		p.elsewhere(s)
		return
	}
	if at >= len(p.spans) || p.tokens[next.From].Stop() || p.tokens[next.From].Comma() && !p.tokens[s.From].Comma() ||
		p.isCue(next, cue.Now, cue.Lives, cue.In, cue.With, cue.And) && p.last >= 0 && !p.employerFollows(at) {
		p.pastBehind()
		return
	}
	w := p.words(s)
	p.when, p.gone, p.spent = past, true, p.theirFormer(s)
	role := at
	if behind := p.peekAt(at + 1); next.Group() == segment.GroupIndustry && behind.From == next.To { // ex-military officers from Acme
		role++
	}
	p.verb = w != "ex" || p.peekAt(role).Group() == segment.GroupRole && p.companyFrom(role+1) // ex-consultants from Acme
	if p.verb && (next.Group() == segment.GroupCompany && !p.titleBehind(at) || next.Group() == segment.GroupIndustry && p.isCue(p.behindPeople(at+1), cue.In, cue.At)) {
		p.verb = false // former military in logistics
	}
}

// behindPeople is the reading at a place, or behind it where it says no more than people.
func (p *parser) behindPeople(at int) segment.Span {
	if p.peekAt(at).Type == lexicon.PersonWord {
		at++
	}
	return p.peekAt(at)
}

// theirFormer makes past the company right before "former" whose people are meant, and
// reports whether there is one: Acme's former CTO.
func (p *parser) theirFormer(s segment.Span) bool {
	if p.last < 0 || p.lastAt != s.From || !p.tokens[s.From-1].Possessive || p.facts[p.last].name != query.FilterCompany || p.facts[p.last].not {
		return false
	}
	for f := range p.lastList() {
		f.when, f.gone = past, true
	}
	return true
}

// employerFollows reports whether an employer stands behind the preposition at
// the place.
func (p *parser) employerFollows(at int) bool {
	next, _ := p.next(at + 1)
	switch next.Group() {
	case segment.GroupCompany, segment.GroupIndustry, segment.GroupRole, segment.GroupFunction:
		return p.isCue(p.spans[at], cue.In)
	}
	return p.isCue(p.spans[at], cue.With) && next.Group() == segment.GroupCompany
}

// companyFrom reports whether "from", or "of", and a company stand at the place, or "of" and a
// kind of companies.
func (p *parser) companyFrom(at int) bool {
	company, _ := p.next(at + 1)
	return p.isCue(p.peekAt(at), cue.From, cue.Of) && company.Group() == segment.GroupCompany || p.isCue(p.peekAt(at), cue.Of) && company.Group() == segment.GroupIndustry
}

// titleBehind reports whether a title stands right behind the employers that
// begin at the place: "former Google engineers".
func (p *parser) titleBehind(at int) bool {
	for i := at; i < len(p.spans); i++ {
		s := p.spans[i]
		switch {
		case s.Group() == segment.GroupRole && s.Type != lexicon.Seniority || s.Group() == segment.GroupFunction:
			return true
		case s.Group() == segment.GroupCompany, s.Type == lexicon.Seniority, p.isCue(s, cue.And, cue.Or):
		default:
			return false
		}
	}
	return false
}

// pastBehind makes the last job facts past: "engineers at Google before".
func (p *parser) pastBehind() {
	if p.last < 0 {
		return
	}
	for _, o := range p.between(p.lastAt, p.spans[p.at].From) {
		if p.beginsStatement(o) || o.Type == segment.Unknown && (p.isCue(p.peek(-2), cue.Any) || p.doneWhat(o)) || unanswered(o) != "" { // who were operators before, who have done an IPO before
			return
		}
	}
	list := p.facts[p.last].list
	for i := len(p.facts) - 1; i >= 0 && p.facts[i].list == list; i-- {
		if f := &p.facts[i]; f.ofJob() && f.when != previous {
			f.when, f.gone = past, true
		}
	}
}

// doneWhat reports whether a reading is what somebody is said to have done: who have done a migration.
func (p *parser) doneWhat(s segment.Span) bool {
	for at := s.From - 1; at > 0 && p.adjoins(at+1); at-- {
		if t := p.tokens[at]; t.Norm == "done" {
			return true
		}
	}
	return false
}

// previousBehind makes the last job facts those of the job before: "at Google in
// their previous job".
func (p *parser) previousBehind() {
	for f := range p.lastList() {
		if f.ofJob() {
			f.when, f.gone = previous, false
		}
	}
}

// leavesOut reports whether a reading stands between two places of which the
// second is left out: Europe but Germany, Europe ex UK.
func (p *parser) leavesOut() bool {
	next, _ := p.next(p.at + 1)
	return !p.not && next.Group() == segment.GroupPlace && p.peek(-1).Group() == segment.GroupPlace && p.last >= 0 && !p.facts[p.last].not
}

func hasWord(text, w string) bool {
	for one := range strings.SplitSeq(text, " ") {
		if one == w {
			return true
		}
	}
	return false
}

// verbOfYear notes a verb that a year, a school or a subject belongs to.
func (p *parser) verbOfYear(c cue.Cue) {
	if c == cue.Graduate && p.last >= 0 && p.facts[p.last].group() == segment.GroupSchool {
		c = cue.Studied
	}
	if c == cue.Founded && p.startedJob() {
		c = cue.Joined
	}
	if c == cue.Founded && p.startedOut() {
		p.beginPhrase(any)
		return
	}
	p.verbs = c
	if c == cue.Studied || c == cue.Majored {
		if strings.Contains(p.words(p.spans[p.at]), "drop") {
			p.note(dropoutNote)
		}
		p.prep, p.prepAt = c, p.at+1
		p.endScope()
	}
	if c == cue.Founded && !p.owns(p.spans[p.at]) {
		p.founded()
	}
}

// readLeads is about who is in charge of the function that follows.
func (p *parser) readLeads(s segment.Span) {
	if p.ranProject(s) || p.noLeads(s) {
		return
	}
	next, _ := p.next(p.at + 1)
	if p.words(s) == "lead" && (next.Group() == segment.GroupRole && next.From == s.To || p.isCue(next, cue.And, cue.Or) && p.ranksTitle(s)) { // lead or principal engineers
		p.levels, p.levelSpans = append(p.levels, wordMark+"lead"), append(p.levelSpans, [2]int{s.From, s.To})
		return
	}
	if next.InGroup(segment.GroupFunction, segment.GroupIndustry, segment.GroupCompany) || next.Type == segment.Named {
		if p.tokens[s.To-1].Norm == "led" {
			p.beginPhrase(any)
		}
		p.add(fact{name: query.FilterSeniority, values: []string{"director", "vp", "cxo"}, level: "director"}, s)
		return
	}
	p.ignored = append(p.ignored, s)
}
