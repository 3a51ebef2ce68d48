package rules

import (
	"fmt"
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// years makes a fact of a length of time: of experience, in the present stay, or
// the age of companies.
func (p *parser) years(s segment.Span, q quantity.Quantity) {
	name := query.FilterExperienceYears
	switch {
	case q.Old:
		p.age(s, q)
		return
	case q.Experience:
	case q.Months && p.ofContract(), p.howOften(s):
		p.ignored = append(p.ignored, s)
		return
	case p.verbs == cue.Left, p.workedOnce(), p.spentOnce(s):
		p.ignore(lastedNote, s)
		return
	case p.ofResidence(s):
		p.ignore(residenceNote, s)
		return
	case p.ofTenure():
		name = query.FilterTenureYears
	}
	if q.Open && q.Op == quantity.Equal { // "10 years" are at least ten
		q.Op = quantity.AtLeast
	}
	if q.Months {
		p.months(s, q, name)
		return
	}
	f := rangeFact(name, q.Capped(analysis.MaxYears))
	p.addPlain(f, s)
}

// howOften reports whether a length of time says how often something takes its time: two hours a month.
func (p *parser) howOften(s segment.Span) bool {
	if s.From == 0 || !p.tokens[s.From].Article() {
		return false
	}
	switch p.tokens[s.From-1].Norm {
	case "hour", "hours", "day", "days", "evening", "evenings", "once", "twice", "times":
		return true
	}
	return false
}

// ofContract reports whether a length of time is that of the work on offer: a 6
// month contract.
func (p *parser) ofContract() bool {
	switch w, _, _ := strings.Cut(p.words(p.peek(1)), " "); w {
	case "contract", "contracts", "project", "projects", "gig", "assignment", "engagement", "notice":
		return p.adjoining(p.peek(1))
	}
	return false
}

// addPlain adds a fact that no negation or tense before it is about, but for a
// negation right before it.
func (p *parser) addPlain(f fact, s segment.Span) {
	if p.not && p.heading() {
		p.add(f, s)
		return
	}
	if p.not && p.notGroup != "" {
		p.endNot()
	}
	p.add(f, s)
	p.endNot()
}

// ofTenure reports whether years are those of the present stay: "at Google for
// five years", "5 years in their current role".
func (p *parser) ofTenure() bool {
	next, _ := p.next(p.at + 1)
	if p.isCue(next, cue.Tenure) || p.verbs == cue.Joined {
		return true
	}
	before := p.peek(-1)
	if p.isCue(before, cue.Tenure) || p.isCue(before, cue.For) && p.isCue(p.peek(-2), cue.Tenure) {
		return true
	}
	worked := p.isCue(p.peek(-2), cue.Any) && hasWord(p.words(p.peek(-2)), "worked") // worked for ten years at Acme
	if p.isCue(next, cue.At) && (!p.isCue(before, cue.For) || worked) {
		after, _ := p.next(p.at + 2)
		if worked {
			p.endScope()
		}
		return after.InGroup(segment.GroupCompany, segment.GroupIndustry)
	}
	if !p.isCue(before, cue.For) || p.last < 0 {
		return false
	}
	last := p.last
	defer func() { p.last = last }()
	if at := p.beforePlace(); p.facts[at].group() == segment.GroupCompany || p.facts[at].group() == segment.GroupIndustry { // at Acme in Milan for three years
		p.last = at
	}
	f := p.facts[p.last]
	g := f.group()
	if f.name == query.FilterCompanyIndustry && f.when == any && p.tokens[max(0, f.spans[0][0]-1)].Norm == "in" { // has worked in shipping for twenty years, at several companies perhaps
		return false
	}
	p.stayed(g)
	return p.when == current && (g == segment.GroupCompany || g == segment.GroupRole || g == segment.GroupIndustry)
}

// stayed makes a job current of which the prompt says how long it has lasted:
// "have worked at Google for two years".
func (p *parser) stayed(g segment.Group) {
	if p.facts[p.last].when != any || g != segment.GroupCompany && g != segment.GroupIndustry {
		return
	}
	p.endScope()
	for f := range p.lastList() {
		f.when = current
	}
}

// months asks for a length of time in months, which filters do not count.
func (p *parser) months(s segment.Span, q quantity.Quantity, name query.FilterName) {
	low, high := q.Bounds()
	field, path := query.Experience, query.Person
	says := "experience of " + q.Range() + " months"
	if name == query.FilterTenureYears {
		field, path = query.Tenure, query.Current
		says = "at the present company for " + q.Range() + " months"
	}
	r := query.Range{Field: field}
	if low != nil {
		r.Max = new(p.daysAgo(*low, true))
	}
	if high != nil {
		r.Min = new(p.daysAgo(*high, true))
	}
	p.addPlain(fact{query: nested(path, r), says: says}, s)
}

func nested(path query.Path, q query.Query) query.Query {
	if path == query.Person {
		return q
	}
	return query.Nested{Path: path, Part: q}
}

// age asks for companies founded so many years ago.
func (p *parser) age(s segment.Span, q quantity.Quantity) {
	if !slices.ContainsFunc(p.spans, p.ofCompanies) { // directors over 40 years old
		p.ignore(ageNote, s)
		return
	}
	if q.Months {
		p.unknown = append(p.unknown, s)
		return
	}
	low, high := q.Bounds()
	year := func(ago int64) int64 { return max(int64(p.now.UTC().Year())-ago, 0) }
	d := quantity.Quantity{Kind: quantity.Date}
	switch {
	case low != nil && high != nil && *low != *high:
		d.Op, d.A, d.B = quantity.Between, year(*high), year(*low)
	case low != nil && high != nil:
		d.Op, d.A = quantity.Equal, year(*low)
	case low != nil:
		d.Op, d.A = quantity.AtMost, year(*low)
	default:
		d.Op, d.A = quantity.AtLeast, year(*high)
	}
	p.add(rangeFact(query.FilterCompanyFoundedYear, d), s)
}

// ofCompanies reports whether a reading speaks of a company, or of a kind of them.
func (p *parser) ofCompanies(s segment.Span) bool {
	g := s.Group()
	return s.Type == lexicon.CompanyWord || g == segment.GroupCompany || g == segment.GroupIndustry || p.isCue(s, cue.Company)
}

// date makes a fact of a year or of a stretch of time up to now, by the verb
// that it belongs to.
func (p *parser) date(s segment.Span, q quantity.Quantity) {
	if p.ofResidence(s) {
		p.ignore(residenceNote, s)
		return
	}
	verb := p.verbs
	ofGraduates := p.peek(1).InGroup(segment.GroupSchool, segment.GroupStudy, segment.GroupFunction)
	if p.isCue(p.peek(1), cue.Alumni, cue.Graduate) || ofGraduates && p.isCue(p.peek(2), cue.Graduate, cue.Alumnus, cue.Alumni) { // 2010 Stanford grads
		verb = cue.Studied
	}
	if verb == cue.None && p.isCue(p.peek(-1), cue.Tenure) { // in post since 2020
		verb = cue.Joined
	}
	if p.foundedBefore(s) {
		verb = cue.Founded
	}
	last := p.last
	if at := p.foundedJob(); (verb == cue.None || verb == cue.Founded) && at >= 0 {
		p.foundedThen(at, s, q)
		return
	}
	if verb == cue.None {
		p.last = p.beforePlace()
		verb = p.verbOf(q)
	}
	switch verb {
	case cue.Work:
		p.heldIn(s, q)
	case cue.Founded:
		p.foundedIn(s, q)
	case cue.Joined:
		p.joinedIn(s, q)
	case cue.Left, cue.Moved:
		p.leftIn(s, q)
	case cue.Studied, cue.Majored, cue.Graduate:
		p.graduated(s, q)
	default:
		p.last = last
		p.unknown = append(p.unknown, s)
		p.notes = append(p.notes, fmt.Sprintf("%q is not understood as a time of anything", p.sourceText(s)))
	}
}

// beforePlace is the last fact that is none about places: at Nokia in Finland until
// 2010.
func (p *parser) beforePlace() int {
	last := p.last
	for last > 0 && p.facts[last].group() == segment.GroupPlace {
		last--
	}
	return last
}

// verbOf guesses what a time without a verb belongs to: "at Google since 2019".
func (p *parser) verbOf(q quantity.Quantity) cue.Cue {
	switch {
	case p.came, strings.HasSuffix(p.words(p.peek(-1)), "began in"): // "new CTOs at banks in the last 90 days"
		return cue.Joined
	case p.last < 0:
		return cue.None
	}
	last := p.facts[p.last]
	if last.when == previous && last.group() == segment.GroupCompany || p.movedInto(last) {
		return cue.Joined
	}
	if p.graduates(last) { // recent graduates (2018 or later)
		p.takeBack()
		return cue.Graduate
	}
	if last.name == query.FilterGraduationYear && p.listed(p.lastAt, p.spans[p.at].From) { // grads (2024, 2025)
		return cue.Graduate
	}
	switch last.group() {
	case segment.GroupSchool, segment.GroupStudy:
		return cue.Studied
	case segment.GroupIndustry: // working at hedge funds since 2021
		if last.when == current && q.Op == quantity.AtLeast && !last.not && !p.asksFounder() && p.employed(last) {
			return cue.Joined
		}
	case segment.GroupCompany, segment.GroupRole:
		switch {
		case last.when == past && q.Kind == quantity.Ago:
			return cue.Left
		case last.when == current && q.Op == quantity.AtLeast:
			return cue.Joined
		case last.when == any && q.Op == quantity.AtLeast && last.group() == segment.GroupCompany && p.hasBeen():
			p.stayed(segment.GroupCompany)
			return cue.Joined
		case last.group() == segment.GroupRole && last.when == any && !last.not, last.group() == segment.GroupCompany && (q.Kind == quantity.Date || q.Op != quantity.AtMost) && !last.not:
			return cue.Work
		}
	}
	return cue.None
}

// employed reports whether a fact about companies is of those where people work: at some of
// a trade.
func (p *parser) employed(f fact) bool {
	return p.cueBefore(f.spans[0][0], cue.At, cue.For)
}

// hasBeen reports whether the prompt speaks of who has been somewhere since a time,
// and so is there still.
func (p *parser) hasBeen() bool {
	return slices.ContainsFunc(p.spans[:p.at], func(s segment.Span) bool { return p.isCue(s, cue.Any) && hasWord(p.words(s), "been") })
}

// foundedIn asks for companies of an age.
func (p *parser) foundedIn(s segment.Span, q quantity.Quantity) {
	if q.Kind == quantity.Ago {
		q = p.yearsOf(q)
	}
	p.add(rangeFact(query.FilterCompanyFoundedYear, q), s)
}

// joinedIn asks for who came to the company at that time.
func (p *parser) joinedIn(s segment.Span, q quantity.Quantity) {
	if q.Kind == quantity.Ago && !q.Months {
		p.addPlain(rangeFact(query.FilterTenureYears, yearsAgo(q)), s)
		return
	}
	r, says := p.dateRange(q)
	r.Field = query.Tenure
	p.addTime(query.Current, current, r, cameSays, says, s)
}

// leftIn asks for who left a job at that time.
func (p *parser) leftIn(s segment.Span, q quantity.Quantity) {
	if q.Kind == quantity.Ago && !q.Months {
		p.addPlain(rangeFact(query.FilterPastEndYears, yearsAgo(q)), s)
		return
	}
	r, says := p.dateRange(q)
	r.Field = query.End
	p.addTime(query.Past, past, r, leftSays, says, s)
}

// heldIn asks for who was at the companies that were named last at that time:
// "worked at Google before 2015". A present job counts where it had begun.
func (p *parser) heldIn(s segment.Span, q quantity.Quantity) {
	onlyPast := p.facts[p.last].when == past
	r, says := p.dateRange(q)
	begun := query.Range{Field: query.Start, Max: r.Max}
	if r.Max == nil {
		begun.Max = new(p.daysAgo(0, false))
	}
	held := []query.Query{query.Or{Parts: p.lastJobs(query.Current, current)}, begun}
	for f := range p.lastList() {
		if f.when == current {
			f.when = any
		}
	}
	ended := held
	if r.Min != nil {
		ended = append(slices.Clone(held), query.Range{Field: query.End, Min: r.Min})
	}
	found := query.Query(query.Nested{Path: query.Past, Part: query.And{Parts: ended}})
	if !onlyPast {
		found = query.Or{Parts: []query.Query{query.Nested{Path: query.Current, Part: query.And{Parts: held}}, found}}
	}
	p.addPlain(fact{query: found, says: "was there " + says}, s)
}

// atSameJob asks for a time of the very job at the companies that were named last.
func (p *parser) atSameJob(path query.Path, when when, r query.Range) query.Query {
	if p.last < 0 || p.facts[p.last].name != query.FilterCompany || p.facts[p.last].when != when || p.facts[p.last].not {
		return nested(path, r)
	}
	either := p.lastJobs(path, when)
	if len(either) == 0 {
		return nested(path, r)
	}
	return query.Nested{Path: path, Part: query.And{Parts: []query.Query{query.Or{Parts: either}, r}}}
}

// lastJobs are what the facts of the last list ask of a job, were they about the
// jobs of a path.
func (p *parser) lastJobs(path query.Path, when when) []query.Query {
	var parts []query.Query
	for f := range p.lastList() {
		moved := *f
		moved.when = when
		if n, ok := p.compile(moved).(query.Nested); ok && n.Path == path {
			parts = append(parts, n.Part)
		}
	}
	return parts
}

func (p *parser) graduated(s segment.Span, q quantity.Quantity) {
	if q.Kind == quantity.Ago {
		q = p.yearsOf(q)
	}
	p.addPlain(rangeFact(query.FilterGraduationYear, q), s)
}

// cameSays is said of when somebody came to the present company, leftSays of when they left one.
const (
	cameSays = "came to the present company "
	leftSays = "left a job "
)
