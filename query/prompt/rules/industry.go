package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// readIndustry makes a fact of what companies do, or how large or old they are.
func (p *parser) readIndustry(s segment.Span) {
	if p.ofProjects(s) || p.kindOfSchool(s) {
		return
	}
	if f, ok := p.workOf(s); ok && !p.ofTheState(s) {
		p.add(f, s)
		return
	}
	if p.asksForNoCompany(s) {
		return
	}
	if !s.Is(lexicon.Industry, segment.Keyword, segment.Label) && p.peopleInvest() { // who invest in startups
		p.ignore(investedNote, s)
		return
	}
	if p.workedOn() || p.fieldOfWork(s) {
		said := s
		if said.Len() > 1 && areFirms(p.tokens[s.To-1].Norm) {
			said.To--
		}
		p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(said))}}, s)
		return
	}
	if p.adjoining(s) && p.last >= 0 && p.lastAt == s.From && p.facts[p.last].name == query.FilterKeywords && !areFirms(p.words(s)) { // cybersecurity consulting; seed-stage climate tech
		if p.peek(-1).Type == lexicon.FundingStage {
			p.facts[p.last].values = []string{alternative(p.text(s))}
		}
		p.joinLast(s)
		return
	}
	if p.makesOrSells(s) || p.isTool(s) {
		p.joinLast(s)
		return
	}
	p.servesTrade(s)
	if s.Sense.Name == "unicorn" {
		p.note("what a company is worth is not on record: asked for are those of more than 200 people")
	}
	f := companiesOf(s)
	if p.speciality(f, s) {
		return
	}
	if p.ofLevelLeftOut() {
		p.ignored = append(p.ignored, s)
		return
	}
	p.add(f, s)
	if p.ofStartups(s) {
		p.add(fact{name: query.FilterCompanyType, values: []string{"startup"}}, s)
	}
	p.endJob(s)
}

// asksForNoCompany leaves out an industry that says what is not on record, or nothing of
// the people.
func (p *parser) asksForNoCompany(s segment.Span) bool {
	next := p.words(p.peek(1))
	switch {
	case p.ofTheState(s):
		p.ignore("whether a school or a hospital is of the state is not on record", s)
	case s.Type == lexicon.SizeWord && (next == "customers" || next == "clients" || next == "accounts"):
		p.ignored = append(p.ignored, s)
	case p.clients(s):
		p.ignore("whom somebody works for or with is not on record", s)
	case p.not && p.narrowed(s):
		p.ignore("only kinds of companies that are understood whole can be left out", s)
	case p.sellsDirectly(s):
		p.ignored = append(p.ignored, s)
	default:
		return false
	}
	return true
}

// companiesOf asks for the companies that a reading of an industry means.
func companiesOf(s segment.Span) fact {
	switch s.Type {
	case segment.Label:
		return fact{name: query.FilterCompanyIndustry, values: []string{quoted(s.Known.Term)}}
	case segment.Keyword:
		return fact{name: query.FilterCompanyKeywords, values: []string{quoted(s.Known.Term)}}
	}
	return fact{name: s.Sense.Filter, values: s.Sense.Values, excluded: s.Sense.Excluded, keywords: s.Sense.Keywords, broader: s.Sense.Broader}
}

// narrowed reports whether a word that is not understood says of which companies of an industry a
// negation right before it is: not at a private clinic.
func (p *parser) narrowed(s segment.Span) bool {
	word := p.peek(-1)
	if word.Type != segment.Unknown || word.Len() > 1 || !p.adjoining(s) || p.tokens[word.From].Capital() && p.hasLower() {
		return false
	}
	at := -2
	for p.peek(at).Type == lexicon.Filler || p.isCue(p.peek(at), cue.At, cue.From, cue.In) {
		at--
	}
	return p.negated(p.peek(at)) && p.adjoins(word.From)
}

// ofLevelLeftOut reports whether the present industry only says of which companies a level
// is left out: no law firm partners. Others of these companies stay.
func (p *parser) ofLevelLeftOut() bool {
	next := p.peek(1)
	return p.not && p.notGroup == "" && next.Is(lexicon.Seniority, lexicon.Leader) && p.adjoining(next)
}

// workedOn reports whether the present industry says what people work on at a company
// that is named or said to be of some industry, or in what people specialise, whatever
// their company does: at Acme working on gene therapy, working on engines at Acme, lawyers
// specialising in energy.
func (p *parser) workedOn() bool {
	w := p.words(p.peek(-1))
	specialises := p.isCue(p.peek(-1), cue.Know) && strings.Contains(w, "speciali") || p.peopleFocus() || p.peopleInvest()
	if p.not || !specialises && !p.worksOn(p.at) {
		return false
	}
	specialises = specialises || p.hasWorked(p.peek(-2)) && strings.HasSuffix(p.tokens[p.spans[p.at].To-1].Norm, "s")
	said := func(f fact) bool {
		return (f.name == query.FilterCompany || f.name == query.FilterCompanyIndustry || specialises && f.name == query.FilterPosition) && f.when == current && !f.not
	}
	behind := p.isCue(p.peek(1), cue.At) && p.adjoining(p.peek(1)) && (p.peek(2).Group() == segment.GroupCompany || p.peek(2).Type == segment.Named)
	return behind || slices.ContainsFunc(p.facts, said)
}

// peopleFocus reports whether the present reading says on what people focus, not companies:
// lawyers who focus on energy, investors in Berlin focused on fintech.
func (p *parser) peopleFocus() bool {
	last := p.beforePlace()
	return p.worksOn(p.at) && p.peek(-3).Type != lexicon.CompanyWord && strings.HasPrefix(p.words(p.peek(-2)), "focus") && last >= 0 && p.facts[last].name == query.FilterPosition
}

// peopleInvest reports whether the present reading says what those with a title invest in: partners
// at VC funds investing in fintech.
func (p *parser) peopleInvest() bool {
	in := -1
	for p.peek(in).Is(lexicon.FundingStage, lexicon.SizeWord, lexicon.CompanyKind) { // in seed stage fintech startups
		in--
	}
	verb := p.peek(in - 1)
	if !p.isCue(p.peek(in), cue.In) || verb.To == 0 || p.tokens[verb.To-1].Norm != "investing" && p.tokens[verb.To-1].Norm != "invest" || !slices.ContainsFunc(p.facts, invests) {
		return false
	}
	p.understood(verb)
	return true
}

// invests reports whether a fact is of those whose job it is to invest.
func invests(f fact) bool {
	of := func(v string) bool {
		return strings.Contains(v, "investor") || strings.Contains(v, "Venture Capital") || strings.Contains(v, "Private Equity") || strings.Contains(v, "angel")
	}
	return !f.not && (f.name == query.FilterPosition || f.name == query.FilterCompanyIndustry) && slices.ContainsFunc(f.values, of)
}

// fieldOfWork reports whether "in" stands between a company that is named and an industry,
// or that people can talk about, which is what they do there: a company is of one industry, and who names it knows.
func (p *parser) fieldOfWork(s segment.Span) bool {
	before := p.peek(-1)
	talks := before.Type == lexicon.Filler && before.Sense.Name == "call"
	if p.not || s.Type != lexicon.Industry || !p.isCue(before, cue.In) && !talks || p.when != current || p.last < 0 {
		return false
	}
	next := p.peek(1)
	companies := next.Is(lexicon.CompanyWord, lexicon.CompanyKind) || p.tokens[s.To-1].Norm == "companies" || p.tokens[s.To-1].Norm == "startups"
	last := p.facts[p.last]
	return !companies && last.name == query.FilterCompany && last.when == current && !last.not && !p.isOrigin(last)
}

// joinLast makes a reading part of what was said last.
func (p *parser) joinLast(s segment.Span) {
	last := &p.facts[p.last]
	last.spans, p.lastAt = append(last.spans, [2]int{s.From, s.To}), s.To
}

// makesOrSells reports whether an industry only says that those of the one right
// before it make or sell things: battery manufacturers, sporting goods retailers. No
// directory has them in both.
func (p *parser) makesOrSells(s segment.Span) bool {
	before := p.peek(-1)
	if before.Type != lexicon.Industry || p.last < 0 || p.lastAt != s.From || !p.adjoining(s) || p.not || p.facts[p.last].not {
		return false
	}
	general := func(name string) bool {
		return name == "retail" || name == "manufacturing" || name == "wholesale" || name == "consumer_goods"
	}
	return s.Type == lexicon.Industry && general(s.Sense.Name) && !general(before.Sense.Name)
}

// servesTrade makes words of the company of an industry right before one whose companies work
// for any: healthcare consultancies, energy law firms. No directory has them in both.
func (p *parser) servesTrade(s segment.Span) {
	before := p.peek(-1)
	if before.Type != lexicon.Industry || p.last < 0 || p.lastAt != s.From || !p.adjoining(s) || !isService(s.Sense.Name) || isService(before.Sense.Name) {
		return
	}
	for f := range p.lastList() { // healthcare or energy consultancies
		if f.name != query.FilterCompanyIndustry || f.query != nil {
			continue
		}
		said := segment.Span{From: f.spans[0][0], To: f.spans[0][1]}
		f.values = appendNew([]string{alternative(p.text(said))}, f.keywords...)
		f.name, f.keywords, f.broader = query.FilterCompanyKeywords, nil, nil
	}
}

// isService lists the industries that work for all others.
func isService(name string) bool {
	switch name {
	case "consulting", "accounting", "law", "staffing", "agency", "marketing_advertising", "pr", "market_research", "venture_capital", "private_equity", "hedge_fund", "investment_banking":
		return true
	}
	return false
}

// sellsDirectly reports whether "D2C" says only how the companies of the industry behind
// it sell: D2C skincare brands. No directory has them in both.
func (p *parser) sellsDirectly(s segment.Span) bool {
	switch p.words(s) {
	case "d2c", "dtc", "direct to consumer", "b2c":
	default:
		return false
	}
	next := p.peek(1)
	if next.Is(segment.Unknown, lexicon.Modifier) && p.adjoining(next) { // DTC pet food
		next = p.peek(2)
	}
	return next.Type == lexicon.Industry && p.adjoining(next)
}

// grownStartups takes startups by name, not by what makes one, where a stage of funding
// is asked for that no company has while it is one: Series C robotics startups.
func (p *parser) grownStartups() {
	late := func(f fact) bool {
		early := func(stage string) bool { return !strings.HasPrefix(stage, `"series `) || stage <= `"series b"` }
		return f.name == query.FilterCompanyFundingStage && !f.not && f.when == current && !slices.ContainsFunc(f.values, early)
	}
	i := slices.IndexFunc(p.facts, late)
	if i < 0 {
		return
	}
	stage := p.facts[i]
	p.facts = slices.DeleteFunc(p.facts, func(f fact) bool {
		return f.name == query.FilterCompanyType && !f.not && f.when == current && f.list != stage.list && slices.Equal(f.values, []string{"startup"})
	})
	p.last = len(p.facts) - 1
}

// isTool reports whether "software" only says what the skill right before it is: knows
// TMS software.
func (p *parser) isTool(s segment.Span) bool {
	w := p.words(s)
	return (w == "software" || w == "tools") && p.last >= 0 && p.lastAt == s.From && p.adjoining(s) && p.facts[p.last].name == query.FilterSkills &&
		p.isCue(p.peek(-2), cue.Know, cue.With, cue.And, cue.Or)
}

// workOf is what people of an employer that the prompt names do, where the industry
// stands before them: the payments team at Acme, cybersecurity leaders at Acme.
func (p *parser) workOf(s segment.Span) (fact, bool) {
	if p.leadsAtOthers() {
		return fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}, true
	}
	next := p.peek(1)
	noun, _, _ := strings.Cut(p.words(next), " ") // "team at" is a cue
	if !next.Is(lexicon.Leader, lexicon.Seniority) && !lexicon.IsTeam(noun) || !p.adjoining(next) {
		return fact{}, false
	}
	employer := func(o segment.Span) bool { return o.Group() == segment.GroupCompany }
	atOthers := p.isCue(p.peek(2), cue.At) && p.peek(3).Group() == segment.GroupIndustry // martech leaders at telcos
	if !atOthers && !slices.ContainsFunc(p.spans, employer) {
		return fact{}, false
	}
	if function, ok := p.otherwise(s, func(o segment.Span) bool { return o.Type == lexicon.Function }); ok {
		return fact{name: query.FilterFunction, values: function.Sense.Values}, true
	}
	return fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}, true
}

// leadsAtOthers reports whether the present industry says what somebody leads who
// works in another one, or at a company that is named: in charge of packaging at
// breweries.
func (p *parser) leadsAtOthers() bool {
	back := -1
	if w := p.peek(back).Type; w == lexicon.Modifier || w == lexicon.CompanyWord { // of corporate travel
		back--
	}
	if p.isCue(p.peek(back), cue.For, cue.In) {
		back--
	}
	before := p.peek(back)
	if theirs := before.Type == lexicon.Leader && p.tokens[max(1, before.From)-1].Norm == "their"; theirs { // at breweries, plus their heads of packaging
		return slices.ContainsFunc(p.facts, func(f fact) bool { return f.name == query.FilterCompanyIndustry || f.name == query.FilterCompany })
	}
	if !p.isCue(before, cue.Leads) && !before.Is(lexicon.Leader, lexicon.Seniority) || !p.isCue(p.peek(1), cue.At) {
		return false
	}
	at, i := p.next(p.at + 2)
	if at.Group() == segment.GroupPlace { // at Dutch breweries
		at, _ = p.next(i + 1)
	}
	return at.InGroup(segment.GroupIndustry, segment.GroupCompany)
}

// ofStartups reports whether the name of an industry says that its startups are
// meant, and no other companies beside them: fintech startups.
func (p *parser) ofStartups(s segment.Span) bool {
	if last := p.tokens[s.To-1].Norm; s.Type != lexicon.Industry || s.Len() == 1 || last != "startup" && last != "startups" {
		return false
	}
	return !p.isCue(p.peek(1), cue.And, cue.Or) || p.peek(2).Group() != segment.GroupIndustry
}

// trade is the industry of the same name, where "in" stands between a role and a
// function, or a role of another function right before a word that is not the
// function's name: a recruiter in advertising works for an agency, as does a
// financial analyst advertising.
func (p *parser) trade(s segment.Span) (segment.Span, bool) {
	if p.words(s) == "tech" && p.isCue(p.peek(-1), cue.In) { // who work in tech
		return p.otherwise(s, isTrade)
	}
	if s.Len() > 2 || p.last < 0 {
		return segment.Span{}, false
	}
	title := p.facts[p.last]
	if title.name == query.FilterCompanyIndustry && !title.not && p.cueBefore(s.From, cue.Or, cue.And) && p.listed(p.lastAt, s.From) { // in media or advertising
		return p.otherwise(s, isTrade)
	}
	behindPlace := title.group() == segment.GroupPlace && p.last > 0
	if behindPlace { // art directors in São Paulo advertising
		title = p.facts[p.last-1]
	}
	if title.name != query.FilterPosition || title.not {
		return segment.Span{}, false
	}
	function := functionOf(title)
	beside := p.lastAt == s.From && p.adjoining(s) && function != "" && function != s.Sense.Function && (behindPlace || p.words(s) != s.Sense.Name)
	if !beside && !p.isCue(p.peek(-1), cue.In) {
		return segment.Span{}, false
	}
	return p.otherwise(s, isTrade)
}

// tradeLeftOut is the industry of the same name, where a function is left out that
// somebody is asked for by the title: recruiters, not in staffing.
func (p *parser) tradeLeftOut(s segment.Span) (segment.Span, bool) {
	if !p.leavesOutOwn(s) || !p.isCue(p.peek(-1), cue.In, cue.At, cue.NotAt) && !strings.HasSuffix(p.words(p.peek(-1)), " in") {
		return segment.Span{}, false
	}
	return p.otherwise(s, isTrade)
}

// leavesOutOwn reports whether a function is left out that somebody is asked for by
// the title.
func (p *parser) leavesOutOwn(s segment.Span) bool {
	asked := func(f fact) bool {
		return f.name == query.FilterPosition && !f.not && functionOf(f) == s.Sense.Function
	}
	return p.not && slices.ContainsFunc(p.facts, asked)
}

func isTrade(s segment.Span) bool { return s.Type == lexicon.Industry && s.Sense.Name != "" }

// functionOf is the function of a title that is asked for; empty where it has none.
func functionOf(title fact) string {
	if len(title.values) == 0 {
		return ""
	}
	return analysis.Function(strings.Trim(title.values[0], `"=`))
}

// otherwise is another reading of the same words, if one is as wanted.
func (p *parser) otherwise(s segment.Span, wanted func(segment.Span) bool) (segment.Span, bool) {
	return p.readingOf(s.From, s.To, wanted)
}
