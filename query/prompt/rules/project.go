package rules

import (
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// longestUndertaking is how many readings may stand between "led" and what was led.
const longestUndertaking = 5

// projects makes words of the profile of what projects and clients are said to be of, and
// of what people have designed: architects with hospital projects, or who have designed
// hospitals, are employed by no hospital.
func (p *parser) projects() {
	for at, s := range p.spans {
		if next := p.peekAt(at + 1); s.Group() == segment.GroupCompany && segment.IsProject(p.words(next)) && p.adjoining(next) { // an Epic implementation
			p.spans[at] = profileWords(s.From, s.To)
		}
		if next := p.peekAt(at + 1); isDesigning(p.words(s)) && next.Group() == segment.GroupIndustry && p.adjoining(next) && !areFirms(p.tokens[next.To-1].Norm) {
			p.spans[at+1] = profileWords(next.From, next.To)
		}
	}
	for to, s := range p.spans {
		if !isProjects(p.words(s)) || !p.adjoining(s) {
			continue
		}
		from := to
		for from > 0 && p.ofProject(p.spans[from-1], p.spans[from]) {
			from--
		}
		if from == to || !p.isCue(p.peekAt(from-1), cue.With, cue.Know, cue.Of) {
			continue
		}
		for i := from; i < to; i++ {
			if o := &p.spans[i]; o.Is(segment.Unknown, lexicon.Modifier, segment.Named) || o.Group() == segment.GroupIndustry {
				*o = profileWords(o.From, o.To)
			}
		}
	}
}

// projectWord names the readings that are words of the profile, such as what projects are of.
const projectWord = "project"

// profileWords is the reading of tokens as words that the profile must have.
func profileWords(from, to int) segment.Span {
	return segment.Span{From: from, To: to, Type: lexicon.Industry, Sense: lexicon.Sense{Type: lexicon.Industry, Name: projectWord}}
}

// ofProject reports whether a reading before another one may be part of what projects are of.
func (p *parser) ofProject(s, next segment.Span) bool {
	switch {
	case p.tokens[next.From].Stop():
		return false
	case p.isCue(s, cue.And, cue.Or), s.Type == lexicon.Industry, s.Type == segment.Label, s.Type == segment.Keyword, s.Group() == segment.GroupSkill:
		return true
	}
	return s.Is(segment.Unknown, lexicon.Modifier, segment.Named)
}

// isProjects lists the nouns for what people have built or carried out.
func isProjects(w string) bool {
	switch w {
	case "projects", "clients", "schemes", "builds", "fitouts":
		return true
	}
	return false
}

// isDesigning lists the verbs for having made things that are also industries.
func isDesigning(w string) bool {
	switch w {
	case "designed", "shipped", "renovated", "restored", "constructed", "refurbished":
		return true
	}
	return false
}

// areFirms lists the nouns for companies in the plural.
func areFirms(w string) bool {
	return w == "companies" || w == "startups" || w == "firms" || w == "businesses" || w == "brands"
}

// ofProjects makes a fact of words that the profile must have.
func (p *parser) ofProjects(s segment.Span) bool {
	if s.Sense.Name != projectWord {
		return false
	}
	p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(s))}}, s)
	return true
}

// ranProject reports whether a verb for being in charge says what somebody has done with
// a system, not how high they are: who have run an SAP migration, led ERP rollouts.
func (p *parser) ranProject(s segment.Span) bool {
	if !isRunning(p.words(s)) {
		return false
	}
	for i := p.at + 1; i < len(p.spans) && i <= p.at+longestUndertaking; i++ {
		next := p.spans[i]
		t := p.tokens[next.From]
		if t.Comma() || t.Stop() || next.InGroup(segment.GroupRole, segment.GroupPlace) {
			return false
		}
		if i > p.at+1 && segment.IsProject(p.tokens[next.To-1].Norm) {
			p.ignored = append(p.ignored, s)
			return true
		}
	}
	return false
}

// isRunning reports whether words for being in charge are a verb that also stands for
// carrying something out.
func isRunning(w string) bool {
	for _, before := range []string{"who ", "that ", "have ", "has "} {
		w = strings.TrimPrefix(w, before)
	}
	switch w {
	case "led", "ran", "managed", "run", "runs", "running", "lead", "leads", "leading", "manage", "manages", "managing":
		return true
	}
	return false
}

// carriedOut reports whether a reading says what was done with the system right before it,
// and no field of work: an ERP implementation.
func (p *parser) carriedOut(s segment.Span) bool {
	if !segment.IsProject(p.words(s)) || p.last < 0 || p.lastAt != s.From || p.facts[p.last].group() != segment.GroupSkill && p.facts[p.last].name != query.FilterKeywords || !p.adjoining(s) {
		return false
	}
	p.ignored = append(p.ignored, s)
	return true
}

// amongHeld reports whether a run of words with capitals that are not understood is in a
// list of such behind "with", and nothing behind the list says of what it is: nurses with
// XYZ or QRS in Leeds.
func (p *parser) amongHeld(from, to int) bool {
	named := func(at int) bool {
		return p.perhapsTopic(p.spans[at]) && p.tokens[p.spans[at].From].Capital()
	}
	if !p.hasLower() || !named(from) || !named(to-1) {
		return false
	}
	for from > 0 && (named(from-1) || p.isCue(p.spans[from-1], cue.And, cue.Or)) {
		from--
	}
	for to < len(p.spans) && (named(to) || p.isCue(p.spans[to], cue.And, cue.Or) && to+1 < len(p.spans) && named(to+1)) {
		to++
	}
	if !p.isCue(p.peekAt(from-1), cue.With) {
		return false
	}
	return to == len(p.spans) || p.mark(to, to-1) || p.spans[to].Is(lexicon.Cue, lexicon.Filler)
}

// ofUnread reports whether "experience" stands right behind a word that is not understood, so
// that it is not of what follows: telematics experience at bus operators.
func (p *parser) ofUnread(s segment.Span) bool {
	before := p.peek(-1)
	w, _, _ := strings.Cut(p.words(s), " ")
	unread := before.Is(segment.Unknown, lexicon.Modifier) || before.Type == segment.Named && before.Group() == segment.GroupSkill
	return w == "experience" && unread && p.adjoining(s)
}

// certified makes a word of the profile of an abbreviation of a title that people are said to
// have besides theirs: social workers with LCSW.
func (p *parser) certified(s segment.Span) bool {
	ends := p.at+1 == len(p.spans) || p.mark(p.at+1, p.at) || p.experienceOf(p.at+1) && !lexicon.IsExperience(p.words(p.peek(1))) || p.isCue(p.peek(1), cue.In, cue.At, cue.Lives, cue.And)
	if s.Type != lexicon.Role || s.Len() > 1 || !p.tokens[s.From].Shout() || !p.hasLower() || !ends || p.not || !p.isCue(p.peek(-1), cue.With) || !p.isTitled() {
		return false
	}
	p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(s))}}, s)
	return true
}

// asExperience reports whether a title is what people have experience as besides their own:
// CFOs with controller experience.
func (p *parser) asExperience(s segment.Span) bool {
	next := p.peek(1)
	w, _, _ := strings.Cut(p.words(next), " ")
	before := p.peek(-1)
	if s.From > 0 && p.tokens[s.From-1].Article() {
		before = p.peek(-2)
	}
	return lexicon.IsExperience(w) && p.adjoining(next) && s.Type != lexicon.Seniority && p.isCue(before, cue.With) && p.isTitled() && p.when == current && !p.not
}

// knownBy reports whether a company is named for what it makes, which people know: electricians
// who know Siemens PLC.
func (p *parser) knownBy(s segment.Span) bool {
	w := p.tokens[max(1, s.From)-1].Norm
	return p.isCue(p.peek(-1), cue.Know) && (w == "know" || w == "knows" || w == "knowing") && p.isTitled() && !p.not
}
