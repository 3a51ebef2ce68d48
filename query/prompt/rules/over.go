package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// became reads "consultants who became product managers": what was said before
// is over.
func (p *parser) became() bool {
	next, at := p.next(p.at + 1)
	if next.Is(segment.Unknown, lexicon.Modifier) { // into corporate security
		if after, _ := p.next(at + 1); after.Group() == segment.GroupFunction && p.adjoining(after) {
			next = after
		}
	}
	if next.Group() == segment.GroupIndustry { // who became startup CFOs
		if after, _ := p.next(at + 1); after.Group() == segment.GroupRole {
			next = after
		}
	}
	w := p.words(p.spans[p.at])
	ends := func(endings ...string) bool {
		return slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(w, end) })
	}
	switch {
	case p.last < 0:
		return false
	case strings.HasPrefix(w, "before ") && next.InGroup(segment.GroupCompany, segment.GroupIndustry): // at Acme before joining Hogwarts
		if !p.end(true, func(f fact) bool { return f.name == query.FilterCompany }) {
			return false
		}
	case next.Group() == segment.GroupRole && ends("became", "become", "becoming", "made", "named", "turned", "into", "retrained as", "retraining as", "ed to", "devenu", "devenus", "devenue", "devenues"):
		if !p.over(query.FilterPosition) && !p.over(query.FilterSeniority) {
			return false
		}
	case next.Group() == segment.GroupFunction && ends("moved into", "switched into", "switched to", "went into", "gone into", "moved to", "transitioned to", "transitioned into"):
		if !p.over(query.FilterPosition) && !p.over(query.FilterFunction) {
			return false
		}
	case next.InGroup(segment.GroupCompany, segment.GroupIndustry) && ends("left for", "quit for", "moved to", "moved into", "switched to", "jumped to", "went to", "joined"):
		if !p.over(query.FilterCompany) && (!next.Is(lexicon.Industry, lexicon.CompanyKind) || ends("joined") || !p.perhapsOver()) {
			return false
		}
		if ends("joined") {
			defer func() { p.verbs = cue.Joined }()
		}
	default:
		return false
	}
	p.endScope()
	p.last = -1
	p.at++
	return true
}

// turnedInto makes past the title that was said last of present jobs where "now"
// and another one follow, and the company that somebody comes from: ex-Acme consultants
// who are now chiefs of staff, people from Acme now in banking.
func (p *parser) turnedInto(s segment.Span) {
	next, at := p.next(p.at + 1)
	if p.isCue(next, cue.As, cue.Work) {
		next, _ = p.next(at + 1)
	}
	if !hasWord(p.words(s), "now") || p.last < 0 || p.lastAt > s.From {
		return
	}
	if next.Group() == segment.GroupRole && next.Type != lexicon.Seniority {
		p.end(true, isTitle)
	}
	if next.Group() == segment.GroupRole || p.isCue(next, cue.In, cue.At) {
		p.end(true, p.isOrigin)
	}
	if p.onTheirOwn(next) {
		p.end(true, func(f fact) bool { return f.name == query.FilterCompany })
	}
	if p.isCue(next, cue.In) && p.lastAt == s.From {
		switch field, _ := p.next(at + 1); field.Group() { // teachers now in edtech, engineers now in product
		case segment.GroupIndustry:
			p.perhapsOver()
		case segment.GroupFunction:
			p.over(query.FilterPosition)
		}
	}
	stayed := slices.ContainsFunc(p.facts, func(f fact) bool { return f.name == query.FilterTenureYears })
	if p.isCue(next, cue.In, cue.At) && stayed && p.cueBefore(s.From, cue.And) { // spent four years at Acme and now work in banking
		p.end(true, func(f fact) bool { return f.name == query.FilterCompany })
		p.forgetTenure()
	}
}

// onTheirOwn reports whether a reading says that people work for no company that they
// worked for before: founders, investors, freelancers.
func (p *parser) onTheirOwn(s segment.Span) bool {
	if s.Group() != segment.GroupRole {
		return false
	}
	switch strings.TrimSuffix(p.tokens[s.To-1].Norm, "s") {
	case "founder", "cofounder", "entrepreneur", "investor", "freelancer":
		return true
	}
	return false
}

// end makes past what was said of present jobs, as far as it is wanted; gone where it
// is so no more. It reports whether there was any.
func (p *parser) end(gone bool, wanted func(fact) bool) (found bool) {
	for i := range p.facts {
		if f := &p.facts[i]; !f.not && f.when == current && wanted(*f) {
			f.when, f.gone, found = past, gone, true
		}
	}
	return found
}

// isOrigin reports whether a fact is about a company that somebody is said to come from, or to be
// of: people from Acme, Acme people.
func (p *parser) isOrigin(f fact) bool {
	if f.name != query.FilterCompany {
		return false
	}
	people := func(s segment.Span) bool {
		return s.From == f.spans[0][1] && s.Type == lexicon.PersonWord && p.adjoining(s)
	}
	return p.tokens[max(0, f.spans[0][0]-1)].Norm == "from" || slices.ContainsFunc(p.spans, people)
}

func isTitle(f fact) bool { return f.name == query.FilterPosition || f.name == query.FilterFunction }

// becameFounders makes past the company that people who founded one come from, and the title
// that was said of those who have left it: ex-Acme engineers who started their own, people from
// Acme who started a company.
func (p *parser) becameFounders() {
	p.end(true, p.isOrigin)
	left := func(f fact) bool { return f.name == query.FilterCompany && f.when == past && f.gone && !f.not }
	if slices.ContainsFunc(p.facts, left) {
		p.end(false, isTitle)
	}
}

// over makes past what was said last of present jobs, companies with the titles
// beside them, where one of the facts is for the filter; else it reports false.
func (p *parser) over(name query.FilterName) bool {
	if !slices.ContainsFunc(p.facts, func(f fact) bool { return !f.not && f.name == name }) {
		return false
	}
	p.end(true, func(f fact) bool { return f.name == name || f.name == query.FilterCompany || p.tradeOfTitle(f) })
	return true
}

// tradeOfTitle reports whether an industry stands right before a title and so is of that job:
// navy pilots.
func (p *parser) tradeOfTitle(f fact) bool {
	return f.name == query.FilterCompanyIndustry && len(f.spans) == 1 && slices.ContainsFunc(p.facts, func(o fact) bool {
		return titles(o) && o.spans[0][0] == f.spans[0][1] && p.adjoins(o.spans[0][0])
	})
}

// workedOnce reports whether "for" joins a length of time with a job that the
// prompt speaks of in the past: who worked at Acme for two years.
func (p *parser) workedOnce() bool {
	if !p.isCue(p.peek(-1), cue.For) || p.last < 0 || p.facts[p.last].when != any {
		return false
	}
	for i := p.at - 1; i >= 0; i-- {
		if s := p.spans[i]; p.isCue(s, cue.Any) {
			before := p.words(p.peekAt(i-1)) + " " + p.words(s)
			perfect := slices.ContainsFunc([]string{"have", "has", "having", "whove", "whos", "had"}, func(w string) bool { return hasWord(before, w) })
			return strings.HasSuffix(before, "worked") && !perfect
		}
	}
	return false
}

// forgetTenure takes back how long a stay has lasted, once the prompt says that it
// is over.
func (p *parser) forgetTenure() {
	p.facts = slices.DeleteFunc(p.facts, func(f fact) bool {
		if f.name != query.FilterTenureYears {
			return false
		}
		for _, span := range f.spans {
			p.ignored = append(p.ignored, segment.Span{From: span[0], To: span[1]})
		}
		p.note(lastedNote)
		return true
	})
	p.last = len(p.facts) - 1
}

const lastedNote = "how long an ended job lasted is not on record"

// perhapsOver makes what was said last of present titles be of any job: teachers
// who moved into edtech may be teachers there, or not.
func (p *parser) perhapsOver() bool {
	if p.facts[p.last].name != query.FilterPosition || p.facts[p.last].when != current || p.facts[p.last].not {
		return false
	}
	for i := range p.facts {
		if f := &p.facts[i]; p.tradeOfTitle(*f) {
			f.when = any
		}
	}
	for f := range p.lastList() {
		f.when = any
	}
	return true
}

// saysNow reports whether what follows a preposition in a phrase about an ended job is
// not of that job: former teachers in product roles, former Acme consultants with an
// MBA.
func (p *parser) saysNow(c cue.Cue) bool {
	if p.when != past || p.last < 0 || !p.facts[p.last].ofJob() || p.facts[p.last].when != past || p.isCue(p.peek(-1), cue.Past) {
		return false
	}
	next, _ := p.next(p.at + 1)
	switch c {
	case cue.In:
		w, title := p.words(next), p.facts[p.last]
		if next.Group() == segment.GroupIndustry {
			return title.name == query.FilterPosition && slices.ContainsFunc(title.values, ofCalling)
		}
		if next.Group() != segment.GroupFunction {
			return false
		}
		other := title.name == query.FilterPosition && functionOf(title) != "" && functionOf(title) != next.Sense.Function // former journalists in marketing
		other = other || title.name == query.FilterPosition && functionOf(title) != next.Sense.Function && slices.ContainsFunc(title.values, ofCalling)
		return other || strings.HasSuffix(w, " roles") || strings.HasSuffix(w, " role") || strings.HasSuffix(w, " jobs")
	case cue.With:
		return next.InGroup(segment.GroupSchool, segment.GroupStudy)
	}
	return false
}

// ofCalling reports whether a title is that of a calling with employers of its own, so
// that whoever is in another industry has left it: former bankers in healthcare.
func ofCalling(title string) bool {
	words := strings.Fields(strings.Trim(title, `"=`))
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "teacher", "professor", "academic", "banker", "consultant", "lawyer", "attorney", "judge", "nurse", "doctor", "physician", "surgeon", "journalist", "reporter", "soldier", "diplomat",
		"athlete", "chef", "pilot", "priest", "politician":
		return true
	case "officer":
		return len(words) > 1 && slices.Contains([]string{"military", "army", "naval", "navy", "force", "police", "intelligence"}, words[len(words)-2])
	}
	return false
}

// titleIsPast makes the title behind a company that somebody left past, too, where
// "in … roles" says what they do now: ex-Acme consultants in product roles.
func (p *parser) titleIsPast(c cue.Cue) {
	if c != cue.In || p.last < 1 || p.lastAt != p.spans[p.at].From {
		return
	}
	next, _ := p.next(p.at + 1)
	w := p.words(next)
	title, employer := &p.facts[p.last], p.facts[p.last-1]
	roles := next.Group() == segment.GroupFunction && (strings.HasSuffix(w, " roles") || strings.HasSuffix(w, " role") || strings.HasSuffix(w, " jobs"))
	if roles && title.name == query.FilterPosition && title.when == current && !title.not && employer.name == query.FilterCompany && employer.when == past {
		title.when = past
	}
}

// comingFrom reports whether a company follows that people come from, or where they are
// no longer, as another one follows: they were there.
func (p *parser) comingFrom() bool {
	w := p.words(p.spans[p.at])
	next, _ := p.next(p.at + 1)
	return (strings.HasPrefix(w, "coming") || strings.HasPrefix(w, "who come") || p.nowElsewhere() || p.kindBefore()) && next.Group() == segment.GroupCompany
}

// kindBefore reports whether the companies where people are now stand right before "from":
// engineers at startups from Google.
func (p *parser) kindBefore() bool {
	s := p.spans[p.at]
	if p.last < 0 || p.lastAt != s.From || !p.adjoining(s) {
		return false
	}
	f := p.facts[p.last]
	seated := p.last > 0 && p.facts[p.last-1].kind() == kindOfSeat
	return f.group() == segment.GroupIndustry && f.when == current && !f.not && (seated || p.cueBefore(f.spans[0][0], cue.At, cue.Joined))
}

// ofOrigin reports whether people come from an industry, a field of work or a company,
// where they may still be: they must come from banking.
func (p *parser) ofOrigin() bool {
	from := p.spans[p.at]
	first := p.tokens[from.From].Norm
	if from.Len() == 1 && from.From > 0 {
		first = p.tokens[from.From-1].Norm
	}
	if (first == "who" || first == "that") && from.From+1 < len(p.tokens) {
		first = p.tokens[from.From+1].Norm
	}
	next, _ := p.next(p.at + 1)
	switch next.Group() {
	case segment.GroupIndustry, segment.GroupFunction, segment.GroupCompany, segment.GroupRole:
		return first == "come" || first == "comes" || first == "coming" || first == "came"
	}
	return false
}

// kindFollows reports whether a comma stands before the reading, and companies of some
// kind behind it: formerly at Acme, at startups.
func (p *parser) kindFollows() bool {
	next, _ := p.next(p.at + 1)
	return p.tokens[p.spans[p.at].From].Comma() && (next.Group() == segment.GroupIndustry || next.Type == lexicon.CompanyWord)
}

// leftBehind reads "and have since moved on" behind the name of a company, and other
// words for having left that name none.
func (p *parser) leftBehind(s segment.Span) bool {
	w := p.words(s)
	says := func(word string) bool { return hasWord(w, word) }
	if !strings.HasSuffix(w, "moved on") && !says("there") && !slices.ContainsFunc([]string{"since", "elsewhere", "else", "somebody", "another", "other"}, says) {
		return false
	}
	found := false
	for i := range p.facts {
		if f := &p.facts[i]; f.name == query.FilterCompany && !f.not && (f.when == current || f.when == any) {
			f.when, f.gone, found = past, true, true
		}
	}
	if found {
		for i := range p.facts { // in product, of the same job
			if f := &p.facts[i]; !f.not && f.when == any && (f.name == query.FilterFunction || f.name == query.FilterSeniority) {
				f.when = past
			}
		}
		p.endScope()
	}
	return found
}

// onceThere reads "worked there" behind the name of a company, and reports whether it stands
// there: who was there may be still.
func (p *parser) onceThere(s segment.Span) (found bool) {
	if s.To == len(p.tokens) || p.tokens[s.To].Norm != "there" || p.tokens[s.To-1].Norm != "worked" {
		return false
	}
	for i := range p.facts {
		if f := &p.facts[i]; f.name == query.FilterCompany && !f.not && f.when == current {
			f.when, found = any, true
		}
	}
	return found
}

// turns reads "architects who quit architecture to become designers" and "teachers who
// left teaching for tech": what they did before is said twice, and over.
func (p *parser) turns() bool {
	to := p.at + 1
	for to < len(p.spans) && (sameWork(p.spans[to]) || p.spans[to].Type == lexicon.Filler) && !p.mark(to, p.at) {
		to++
	}
	s, next := p.peekAt(to), p.peekAt(to+1)
	becomes := p.isCue(s, cue.MovedTo) && (strings.HasSuffix(p.words(s), "become") || strings.HasSuffix(p.words(s), "be"))
	field := p.isCue(s, cue.For) && p.words(s) == "for" && next.InGroup(segment.GroupIndustry, segment.GroupFunction)
	if to == p.at+1 || !becomes && !field || !p.over(query.FilterPosition) {
		return false
	}
	p.ignored = append(p.ignored, p.spans[p.at:to]...)
	p.endScope()
	p.last = -1
	p.at = to + 1
	return true
}

// sameWork reports whether a reading may say once more what work somebody has left.
func sameWork(s segment.Span) bool {
	switch s.Group() {
	case segment.GroupFunction, segment.GroupIndustry, segment.GroupStudy, segment.GroupSkill:
		return true
	}
	return s.Is(segment.Unknown, lexicon.Modifier)
}
