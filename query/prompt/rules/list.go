package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// listOf is the list of the fact: that of the last fact where a conjunction, a
// comma or a slash joins the two, and where "or" joins it with a fact of another
// kind; that of the titles before where a sentence asks for further people; else a new one.
func (p *parser) listOf(f fact, s segment.Span) int {
	if p.last >= 0 && !f.apart && !p.bothByAND(p.facts[p.last], f, s) && !p.beginsPlaced(f) {
		before := p.facts[p.last]
		alike := before.group() == f.group() && sameJob(before, f) && (before.kind() == f.kind() || p.kindsJoined(before, f, s))
		alike = alike && (f.group() != segment.GroupSkill || !p.tokens[s.From].Adds())
		if before.not == f.not && alike && (p.listed(p.lastAt, s.From) || p.besidePlace(before, f, s) || p.besideTitle(before, f, s) || p.explained(s)) || !alike && (p.either(before, f, s) || p.peopleToo(before, f, s) || p.makersToo(before, f, s) || p.titleToo(before, f, s)) {
			return p.titleBefore(before, f, s)
		}
	}
	if list, joins := p.alsoWanted(f, s); joins {
		return list
	}
	p.lists++
	return p.lists
}

// besidePlace reports whether a country or a city stands right beside another one, of which
// nobody lives in both: Germany Austria Switzerland.
func (p *parser) besidePlace(before, f fact, s segment.Span) bool {
	return before.name == f.name && (f.name == query.FilterCountry || f.name == query.FilterCity) && p.lastAt == s.From && p.adjoining(s) && !p.ofNation(before)
}

// explained reports whether a company stands first in a bracket behind a company: those
// in it are some of the same: the Big Four (Deloitte, EY), BDO and Mazars.
func (p *parser) explained(s segment.Span) bool {
	if p.tokens[s.From].Gap != "(" || p.last < 0 || p.lastAt != s.From || s.Group() != segment.GroupCompany {
		return false
	}
	return p.facts[p.last].group() == segment.GroupCompany
}

// either reports whether "or" makes alternatives of facts of two kinds: "in
// Munich or at Acme".
func (p *parser) either(a, b fact, s segment.Span) bool {
	if a.not || b.not || a.query != nil || b.query != nil || p.beginsPair(a, b) {
		return false
	}
	or := p.tokens[s.From].Comma() && p.lastAt == s.From && isCampus(a.group()) && isCampus(b.group()) && p.campusesToOr() // from ETH, IBM or Google
	for _, o := range p.between(p.lastAt, s.From) {
		if o.Type != lexicon.Cue && o.Type != lexicon.Filler && o.Type != lexicon.PersonWord {
			return false
		}
		or = or || p.isCue(o, cue.Or)
		if t := p.tokens[o.To]; or && (t.Comma() || t.Stop() || t.Slash()) { // "Munich or remote, 5+ years"
			return false
		}
	}
	return or
}

// isCampus reports whether a group is one of which lists are mixed: schools and companies.
func isCampus(g segment.Group) bool { return g == segment.GroupSchool || g == segment.GroupCompany }

// campusesToOr reports whether nothing but schools and companies stands between the present
// reading and a conjunction.
func (p *parser) campusesToOr() bool {
	for _, s := range p.spans[p.at+1:] {
		if p.isCue(s, cue.Or, cue.And) {
			return true
		}
		if !isCampus(s.Group()) {
			return false
		}
	}
	return false
}

// titleBefore is the list that "or" joins a fact with: that of the fact before or, of people
// in the plural or behind an article, that of the title before it: a nurse in Cork or a
// midwife.
func (p *parser) titleBefore(before, f fact, s segment.Span) int {
	if g := before.group(); f.name != query.FilterPosition || g != segment.GroupPlace && g != segment.GroupCompany || !p.severalOf(s) && !p.peopleBehindArticle(s) {
		return before.list
	}
	for _, o := range slices.Backward(p.facts) {
		if o.name == query.FilterPosition && !o.not && o.query == nil && o.when == f.when {
			return o.list
		}
	}
	return before.list
}

// peopleBehindArticle reports whether an article stands before a title, or before a word
// that describes who has it: a retired accountant.
func (p *parser) peopleBehindArticle(s segment.Span) bool {
	return p.behindArticle(s) || s.From > 1 && p.tokens[s.From-2].Article() && p.adjoins(s.From)
}

// titleToo reports whether "and" joins people in the plural or behind an article with those
// before it, of whom a place or a company has been said: nurses in Cork and midwives.
func (p *parser) titleToo(a, b fact, s segment.Span) bool {
	if a.not || b.not || a.query != nil || b.name != query.FilterPosition || p.beginsPair(a, b) || !p.severalOf(s) && !p.peopleBehindArticle(s) {
		return false
	}
	g := a.group()
	titled := func(f fact) bool {
		return f.name == query.FilterPosition && !f.not && f.query == nil && f.when == b.when
	}
	joined := p.cueBefore(s.From, cue.And) || p.peopleBehindArticle(s) && p.cueBefore(s.From-1, cue.And)
	return joined && (g == segment.GroupPlace || g == segment.GroupCompany) && slices.ContainsFunc(p.facts, titled)
}

// peopleToo reports whether "and" joins two kinds of people of which one is named by
// a title and the other by what they do or where: recruiters and sales people, CFOs and people
// from banks.
func (p *parser) peopleToo(a, b fact, s segment.Span) bool {
	if where := b.group() == segment.GroupCompany || b.group() == segment.GroupIndustry; where && a.name == query.FilterPosition && a.query == nil && !a.not && !b.not && a.when == b.when && b.when == current {
		return p.andPeople(p.lastAt, s.From)
	}
	people := func(f fact) bool {
		last := p.tokens[f.spans[len(f.spans)-1][1]-1].Norm
		return f.name == query.FilterFunction && (last == "people" || last == "experts" || last == "folks" || last == "specialists" || last == "professionals" || last == "staff")
	}
	title := func(f fact) bool { return f.name == query.FilterPosition }
	b.spans = [][2]int{{s.From, s.To}}
	apart := a.not || b.not || a.when != b.when || a.query != nil || b.query != nil || !p.cueBefore(s.From, cue.And)
	return !apart && p.listed(p.lastAt, s.From) && (title(a) && people(b) || people(a) && title(b))
}

// andPeople reports whether nothing stands between two tokens but "and people from" and the like.
func (p *parser) andPeople(from, to int) bool {
	said := ""
	for _, s := range p.between(from, to) {
		switch {
		case p.isCue(s, cue.And) && said == "":
			said = "and"
		case s.Type == lexicon.PersonWord && said == "and":
			said = "people"
		case p.isCue(s, cue.At, cue.From, cue.In, cue.Work) && said == "people", s.Type == lexicon.Filler:
		default:
			return false
		}
	}
	return said == "people" && p.adjoinAll(from, to)
}

// adjoinAll reports whether no mark stands before any of some tokens.
func (p *parser) adjoinAll(from, to int) bool {
	for at := from; at < to; at++ {
		if !p.adjoins(at) {
			return false
		}
	}
	return true
}

// makersToo reports whether a list of people begins with such as make or sell something,
// whom the lists know as companies: boat builders and naval architects.
func (p *parser) makersToo(a, b fact, s segment.Span) bool {
	if a.name != query.FilterCompanyIndustry || b.name != query.FilterPosition || a.not || b.not || a.when != b.when || len(a.spans) != 1 || !p.severalOf(s) {
		return false
	}
	switch p.tokens[a.spans[0][1]-1].Norm {
	case "builders", "makers", "growers", "brewers", "roasters", "distillers", "restorers", "farmers", "importers", "exporters":
		return !p.cueBefore(a.spans[0][0], cue.At, cue.Of, cue.For, cue.From, cue.In, cue.With, cue.Work) && (p.cueBefore(s.From, cue.And, cue.Or) || p.orBehind()) && p.listed(p.lastAt, s.From)
	}
	return false
}

// bothByAND reports whether an AND in capitals, as in search boxes, joins facts
// for two filters, or a bracket with something: ("a" OR b) AND director.
func (p *parser) bothByAND(before, f fact, s segment.Span) bool {
	shouts := func(o segment.Span) bool { return p.isCue(o, cue.And) && p.tokens[o.From].Shout() }
	for i, o := range p.between(p.lastAt, s.From) {
		if shouts(o) && p.hasLower() {
			return before.name != f.name || p.tokens[o.From].Stop() || i+1 < len(p.spans) && p.tokens[p.spans[i+1].From].Opens()
		}
	}
	return false
}

// hasLower reports whether not all of a prompt is in capitals, so that they mean
// something.
func (p *parser) hasLower() bool {
	return slices.ContainsFunc(p.tokens, func(t token.Token) bool { return len(t.Text) > 1 && !t.Shout() })
}

// besideTitle reports whether two titles stand side by side, as no one has both in
// one: ceo coo cfo.
func (p *parser) besideTitle(before, f fact, s segment.Span) bool {
	if before.name != query.FilterPosition || f.name != query.FilterPosition || p.lastAt != s.From || len(f.narrow) > 0 {
		return false
	}
	listed := func(s segment.Span) bool { // a single word may be the field of the other: desarrolladores frontend
		return s.Type == lexicon.CRole || s.Type == lexicon.Role && !s.Sense.ByRule && s.Len() > 1
	}
	return listed(s) && listed(p.peek(-1))
}

// kindsJoined reports whether "and" joins two kinds of companies: startups and
// large companies. A comma only puts one beside the other: fintech, 50-200.
func (p *parser) kindsJoined(a, b fact, s segment.Span) bool {
	if a.kind() == kindOfIndustry || b.kind() == kindOfIndustry || a.group() != segment.GroupIndustry && a.group() != segment.GroupRole {
		return false
	}
	for _, o := range p.between(p.lastAt, s.From) {
		if p.isCue(o, cue.And) && (a.group() != segment.GroupRole || o.To == s.From) || p.isCue(o, cue.Or) && a.group() == segment.GroupRole {
			return true
		}
	}
	return false
}

// listed reports whether nothing but joining words and marks, and the
// preposition of the list once more, stands between two tokens.
func (p *parser) listed(from, to int) bool {
	joined := false
	for i, s := range p.between(from, to) {
		switch {
		case p.isCue(s, cue.And, cue.Or):
			joined = true
		case (s.Type == segment.Unknown || s.Type == lexicon.Modifier) && p.bracketOf(i) > 0: // nurses (ICU or ER) and paramedics
		case s.Type == lexicon.Filler, s.Len() == 1 && p.tokens[s.From].Kind == token.Number, s.Type == lexicon.Seniority, s.Type == segment.Unknown && lexicon.Describes(p.words(s)), p.isCue(s, cue.In, cue.At, cue.For, cue.From, cue.Lives, cue.Near, cue.Of, cue.Past, cue.With, cue.Know, cue.As, cue.Not, cue.Both), p.isCue(s, cue.Work) && p.isCue(p.peekAt(i-1), cue.Or):
		default:
			return false
		}
	}
	marked := false
	for i := from; i <= to && i < len(p.tokens); i++ {
		t := p.tokens[i]
		marked = marked && !strings.ContainsAny(t.Gap, ".!?") || t.Comma() || t.Slash() || t.Entry() // in Seoul, honestly. French lawyers
	}
	return joined || marked
}

// startupsAlone makes alternatives of companies of which only the last are startups:
// hospitals or healthtech startups. Trades without a noun of their own are those of
// startups, too: fintech or healthtech startups.
func (p *parser) startupsAlone() {
	for i := 1; i+1 < len(p.facts); i++ {
		whole, last, startup := p.facts[i-1], p.facts[i], p.facts[i+1]
		if startup.name != query.FilterCompanyType || !p.ofOneNoun(last, startup) || !p.nounBefore(whole, last) {
			continue
		}
		narrower := p.allOf(last, startup)
		span := [2]int{whole.spans[0][0], narrower.spans[0][1]}
		one := fact{list: whole.list, spans: [][2]int{span}, says: p.source([][2]int{span}).Text}
		one.query = query.Or{Parts: []query.Query{p.compile(whole), narrower.query}}
		p.facts = slices.Replace(p.facts, i-1, i+2, one)
	}
}

// ofOneNoun reports whether an industry and startups are said by the same words, of
// the present.
func (p *parser) ofOneNoun(industry, startup fact) bool {
	if industry.group() != segment.GroupIndustry || industry.not || startup.not || industry.when != current || startup.when != current || len(industry.spans) != 1 || len(startup.spans) != 1 {
		return false
	}
	return industry.spans[0] == startup.spans[0] || p.oneNoun(industry.spans[0], startup.spans[0])
}

// nounBefore reports whether "or" joins companies of some kind, by a noun in the
// plural, with an industry.
func (p *parser) nounBefore(whole, last fact) bool {
	if whole.group() != segment.GroupIndustry || whole.not || whole.when != current || len(whole.spans) != 1 || whole.list != last.list {
		return false
	}
	return strings.HasSuffix(p.tokens[whole.spans[0][1]-1].Norm, "s") && p.cueBefore(last.spans[0][0], cue.Or, cue.And)
}
