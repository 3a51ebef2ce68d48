package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// unanswered is what to say of words that ask for what a prompt cannot say, or
// for what no record tells; "" of all others.
func unanswered(s segment.Span) string {
	if s.Type != lexicon.Filler {
		return ""
	}
	switch s.Sense.Name {
	case "network":
		return "whether people whom you know come first is said by scope, not by the prompt"
	case "introduce":
		return "who can introduce you is said by explain, in match.network"
	case "alike":
		return alikeNote
	case "exit":
		return soldNote
	case "fares":
		return "how a company fares is not on record"
	case "gender":
		return genderNote
	case "polyglot":
		return "how many languages somebody speaks is not on record; name the languages"
	case "jobless":
		return "who is out of work is not on record"
	case "employers":
		return "how many employers somebody had is not on record"
	case "often":
		return oftenNote
	case "abroad":
		return "who is or has been abroad is not on record; name the countries"
	case "dropout":
		return dropoutNote
	case "early":
		return earlyNote
	case "pay":
		return paidNote
	case "age":
		return ageNote
	case "native":
		return "whether a language is somebody's first is not on record"
	case "minority":
		return "of which group somebody is, is not on record"
	case "remote":
		return "when, and whether at home, somebody works is not on record"
	}
	return ""
}

const (
	alikeNote     = "only who is named is found: who is like them is not looked for"
	oftenNote     = "how often somebody did something is not on record"
	genderNote    = "who is a man or a woman is not on record"
	paidNote      = "what somebody earns is not on record"
	ageNote       = "how old somebody is, is not on record"
	soldNote      = "whether a company was sold is not on record"
	earlyNote     = "who was first at a company is not on record"
	dropoutNote   = "who has left a school without a degree is not on record"
	investedNote  = "who has invested in which company is not on record"
	preferredNote = "what is only preferred is not asked for"
	reportsNote   = "who reports to whom is not on record"
)

// reports reports whether "to" stands between a title and whom its holder works
// for: a chief of staff to the CEO.
func (p *parser) reports(s segment.Span) bool {
	before := p.peek(-1)
	next, _ := p.next(p.at + 1)
	return p.words(s) == "to" && before.Is(lexicon.Role, lexicon.CRole, segment.KnownTitle) && next.Is(lexicon.CRole, lexicon.Founder)
}

// serves leaves out whom the holders of a title, or companies, work for. Where neither
// stands before, who "recruits nurses" may be the asker.
func (p *parser) serves(s segment.Span) {
	w := p.words(s)
	for _, before := range []string{"who ", "that ", "have ", "has "} {
		w = strings.TrimPrefix(w, before)
	}
	whose := slices.ContainsFunc(p.facts, func(f fact) bool {
		return f.group() == segment.GroupRole || f.group() == segment.GroupIndustry || f.group() == segment.GroupCompany
	})
	switch {
	case strings.Contains(w, "report"):
		p.note(reportsNote)
		p.passOver(s, segment.GroupRole, segment.GroupName)
		return
	case len(p.facts) > 0 && (strings.HasSuffix(w, " under") || strings.HasSuffix(w, " by")):
		p.note("who has taught or led whom is not on record")
		p.passOver(s, segment.GroupRole, segment.GroupName)
		return
	case slices.ContainsFunc([]string{"contacts", "relation", "connections"}, func(whom string) bool { return strings.Contains(w, whom) }): // with contacts at Acme
		p.note("whom somebody knows where is not on record")
		p.passOver(s, segment.GroupCompany, segment.GroupIndustry)
		return
	case whose && (ofCustomers(w) || isBacking(w)): // AEs with 3 years, selling to enterprises
	case p.recruits(s):
		p.passOver(s, segment.GroupRole)
		p.ignored = slices.DeleteFunc(p.ignored, func(o segment.Span) bool { return o.From == s.From })
		p.add(recruiters(), s)
		return
	case p.last < 0 || p.facts[p.last].group() != segment.GroupRole:
		p.ignored = append(p.ignored, s)
		return
	}
	switch {
	case isBacking(w):
		p.note(investedNote)
		p.passOver(s, segment.GroupRole, segment.GroupIndustry, segment.GroupCompany)
		return
	case ofCustomers(w):
		p.note("whom somebody sells to, supplies or writes about is not on record")
		p.passOver(s, segment.GroupRole, segment.GroupIndustry, segment.GroupFunction, segment.GroupStudy, segment.GroupCompany)
		return
	case strings.Contains(w, "represent"):
		p.passOver(s, segment.GroupRole, segment.GroupCompany)
		return
	}
	if p.placedOf(p.at + 1) { // recruiters who place insurance executives
		p.passOver(s, segment.GroupRole, segment.GroupIndustry, segment.GroupFunction)
		return
	}
	p.passOver(s, segment.GroupRole)
}

// placedOf reports whether an industry or a function stands at a reading, and right behind it a
// title of it.
func (p *parser) placedOf(at int) bool {
	of, title := p.peekAt(at), p.peekAt(at+1)
	return of.InGroup(segment.GroupIndustry, segment.GroupFunction) && title.Group() == segment.GroupRole && p.adjoining(title) && strings.HasSuffix(p.tokens[title.To-1].Norm, "s")
}

// ofCustomers reports whether words say whom somebody sells to or works for without being
// employed, or what they write about.
func ofCustomers(w string) bool {
	return slices.ContainsFunc([]string{"sell", "sold", "cover", "catering", "call", "writ", "done", "deliver", "made", "produced", "created"}, func(begin string) bool { return strings.HasPrefix(w, begin) })
}

// isBacking reports whether a verb is for having invested in companies.
func isBacking(w string) bool { return w == "backed" || w == "funded" || w == "financed" }

// withOthers leaves out with whom those who are looked for work: brokers who work with
// startups, physiotherapists who have worked with athletes.
func (p *parser) withOthers(s segment.Span) {
	next, _ := p.next(p.at + 1)
	several := next.To > 0 && strings.HasSuffix(p.tokens[next.To-1].Norm, "s")
	switch {
	case !p.isTitled() || !several || next.Is(lexicon.Seniority, lexicon.Function):
	case next.Group() == segment.GroupRole:
		p.passOver(s, segment.GroupRole)
		p.note("with whom somebody works is not on record")
		if end := p.kindsEnd(p.at + 1); p.isCue(p.peek(0), cue.Of, cue.At, cue.From) && end > p.at+1 { // founders of startups
			p.ignored = append(p.ignored, p.spans[p.at:end]...)
			p.at = end
		}
	}
}

// passOver leaves out what a cue says of somebody else, or of another time:
// "recruiters hiring nurses" are no nurses, who would move to Berlin is not there.
func (p *parser) passOver(s segment.Span, groups ...segment.Group) {
	p.ignored = append(p.ignored, s)
	for p.at++; p.at < len(p.spans); p.at++ {
		next := p.spans[p.at]
		joins := p.isCue(next, cue.And, cue.Or, cue.Both) || next.Is(lexicon.Filler, lexicon.Nationality) // selling to German manufacturers
		name := next.Type == segment.Unknown && p.tokens[next.From].Capital() && p.hasLower() && slices.Contains(groups, segment.GroupCompany)
		if !name && !slices.Contains(groups, next.Group()) && (!joins || !slices.Contains(groups, p.peek(1).Group())) {
			return
		}
		p.ignored = append(p.ignored, next)
	}
}

// clients reports whether companies are those that the holders of a title work with: brokers
// who work with startups.
func (p *parser) clients(s segment.Span) bool {
	with := p.peek(-1)
	w := p.words(with)
	works := strings.HasSuffix(w, "work with") || strings.HasSuffix(w, "works with") || strings.HasSuffix(w, "working with") || w == "with" && p.isCue(p.peek(-2), cue.Work)
	return works && p.adjoining(s) && p.isTitled() && (s.Type == lexicon.CompanyKind || areCompanies(p.tokens[s.To-1].Norm))
}

// areCompanies lists the nouns for kinds of companies that others work for.
func areCompanies(w string) bool {
	switch w {
	case "agencies", "airlines", "banks", "brands", "charities", "companies", "firms", "funds", "governments", "hospitals", "hotels", "insurers", "manufacturers", "museums",
		"ngos", "nonprofits", "publishers", "restaurants", "retailers", "schools", "startups", "suppliers", "universities":
		return true
	}
	return false
}

// isWithin reports whether a place that one reading can mean lies in one that another can.
func (p *parser) isWithin(inner, outer segment.Span) bool {
	return slices.ContainsFunc(p.placesOf(inner), func(i analysis.NamedPlace) bool {
		return slices.ContainsFunc(p.placesOf(outer), func(o analysis.NamedPlace) bool { return i.LiesIn(o) })
	})
}

// invested reports whether an investor and a company stand beside a preposition:
// investors in Acme need not work there, nor live in a place of that name.
func (p *parser) invested() bool {
	next := p.peek(1)
	if p.last < 0 || p.lastAt != p.spans[p.at].From || next.Group() != segment.GroupCompany && next.Type != segment.Named {
		return false
	}
	before := p.facts[p.last]
	return before.name == query.FilterPosition && slices.ContainsFunc(before.values, func(v string) bool { return strings.HasSuffix(strings.Trim(v, `"`), "investor") })
}

// backs reports whether a company is named as the investor of others: founders
// backed by it, YC founders.
func (p *parser) backs(s segment.Span) bool {
	next := p.peek(1)
	switch w := p.words(next); {
	case p.words(p.peek(-1)) == "backed", p.words(p.peek(-1)) == "funded":
		return true
	case p.words(p.peek(-1)) == "by":
		w = p.words(p.peek(-2))
		return w == "backed" || w == "funded" || w == "financed"
	case w == "backed" || w == "funded" || strings.HasPrefix(w, "portfolio"):
		return true
	}
	return s.Sense.Name == "y_combinator" && (p.peek(-1).Type == lexicon.Founder && p.adjoining(s) || next.Is(lexicon.CompanyWord, lexicon.CompanyKind, lexicon.Founder))
}

// boughtBy reports whether a company is named as the one that bought others: at startups acquired
// by Acme.
func (p *parser) boughtBy(s segment.Span) bool {
	if s.From < 2 || p.tokens[s.From-1].Norm != "by" {
		return false
	}
	w := p.tokens[s.From-2].Norm
	return w == "acquired" || w == "bought" || w == "purchased"
}

// forPeople reports whether people stand behind "for" whom those with the title before it
// help: mentors for founders, an executive coach for CEOs.
func (p *parser) forPeople() bool {
	if p.last < 0 || p.lastAt != p.spans[p.at].From || p.facts[p.last].name != query.FilterPosition {
		return false
	}
	next, _ := p.next(p.at + 1)
	switch strings.TrimSuffix(p.tokens[p.lastAt-1].Norm, "s") {
	case "mentor", "coache", "coach", "advisor", "adviser", "trainer", "tutor", "therapist", "headhunter", "recruiter":
		return next.Group() == segment.GroupRole
	}
	return false
}

// asFounder reports whether "as" stands between a title and what its holder is to become: a
// chemist as co-founder.
func (p *parser) asFounder() bool {
	next, _ := p.next(p.at + 1)
	return next.Type == lexicon.Founder && !p.severalOf(next) && p.last >= 0 && p.lastAt == p.spans[p.at].From && titles(p.facts[p.last]) && p.when == current
}

// recruitsFor reports whether a word of hiring is of recruiters, and says whom they hire:
// recruiters at Acme hiring for sales roles.
func (p *parser) recruitsFor(s segment.Span) bool {
	w := p.words(s)
	return strings.HasSuffix(w, "ing for") && p.isWish(s) && slices.ContainsFunc(p.facts, func(f fact) bool {
		return f.name == query.FilterPosition && !f.not && slices.Contains(f.values, "recruiter")
	})
}

// ofCitizens reports whether a place says what passport somebody has: EU citizens.
func (p *parser) ofCitizens(s segment.Span) bool {
	says := func(t token.Token) bool {
		switch t.Norm {
		case "citizen", "citizens", "citizenship", "nationals", "passport", "passports":
			return true
		}
		return false
	}
	if says(p.tokens[s.To-1]) {
		return true
	}
	return s.To < len(p.tokens) && !p.tokens[s.To].Comma() && !p.tokens[s.To].Stop() && says(p.tokens[s.To])
}

// cueBefore reports whether one of some cues stands right before a token.
func (p *parser) cueBefore(at int, cues ...cue.Cue) bool {
	return slices.ContainsFunc(p.spans, func(s segment.Span) bool { return s.To == at && p.isCue(s, cues...) })
}

// aboutTopic leaves out what an interview or a panel is about: for a panel on
// sustainability; unless nothing else says what people do: someone in Leeds who can talk about hydrogen.
func (p *parser) aboutTopic() bool {
	if !slices.ContainsFunc(p.facts, saysWhat) {
		return false
	}
	w := p.words(p.spans[p.at])
	if next := p.words(p.peek(1)); next != "on" && next != "about" && !strings.HasSuffix(w, " on") && !strings.HasSuffix(w, " about") {
		return false
	}
	for p.at++; p.at < len(p.spans); p.at++ {
		s := p.spans[p.at]
		if t := p.tokens[s.From]; t.Comma() || t.Stop() || p.isCue(s, cue.In, cue.Lives, cue.Near, cue.At) {
			break
		}
		p.ignored = append(p.ignored, s)
	}
	return true
}

// saysWhat reports whether a fact says more of people than where they are.
func saysWhat(f fact) bool {
	return f.group() != segment.GroupPlace && f.group() != segment.GroupCompany
}

// aside takes what a preposition begins and nothing is asked of: what people are wanted
// for, where they came from, what they have invested in. Two companies that somebody
// went from and to are asked for.
func (p *parser) aside(s segment.Span, c cue.Cue) bool {
	switch {
	case c == cue.As && p.asFounder():
		p.passOver(s, segment.GroupRole)
	case c == cue.For && p.forPeople():
		p.passOver(s, segment.GroupRole)
	case c == cue.For && p.marketFollows():
		p.passOver(s, segment.GroupPlace)
	case c == cue.For && p.purpose(), (c == cue.For || c == cue.At) && p.employer(), c == cue.From && p.fromTo():
	case c == cue.From && p.movedAway(), c == cue.Know && strings.HasSuffix(p.words(s), "trained in") && p.placeFollows():
		p.elsewhere(s)
	case (c == cue.In || c == cue.Of) && p.invested():
		p.passOver(s, p.peek(1).Group())
		p.note(investedNote)
	default:
		return false
	}
	return true
}
