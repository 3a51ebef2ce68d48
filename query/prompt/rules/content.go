package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/quantity"
	"kith/query/prompt/rules/segment"
)

// readContent makes a fact of a reading that means something by itself.
func (p *parser) readContent(s segment.Span) {
	s = p.asLeftOut(s)
	switch s.Group() {
	case segment.GroupPlace:
		p.readPlace(s)
	case segment.GroupCompany:
		p.readCompany(s)
	case segment.GroupRole:
		p.readRole(s)
	case segment.GroupSchool:
		f := fact{name: query.FilterSchool, values: p.named(s)}
		if p.teachesThere() {
			f.name = query.FilterCompany
		}
		p.add(f, s)
	case segment.GroupIndustry:
		p.readIndustry(s)
	case segment.GroupFunction:
		if p.isAmount(s) {
			p.ignored = append(p.ignored, s)
			return
		}
		if other, ok := p.trade(s); ok {
			p.readIndustry(other)
			return
		}
		if other, ok := p.tradeLeftOut(s); ok {
			p.readIndustry(other)
			return
		}
		p.add(fact{name: query.FilterFunction, values: s.Sense.Values}, s)
		p.endJob(s)
	case segment.GroupSkill, segment.GroupStudy:
		p.readSkill(s)
	default:
		p.unknown = append(p.unknown, s)
	}
}

// asLeftOut is what a reading means in a list of what is left out, where "or" joins
// it with something of another kind that it can be, too: not in staffing or
// recruiting.
func (p *parser) asLeftOut(s segment.Span) segment.Span {
	if !p.not || p.notGroup == "" || p.notGroup == s.Group() || !p.orBefore(s.From) {
		return s
	}
	for _, other := range p.others[s.From] {
		if other.To == s.To && other.Group() == p.notGroup {
			return other
		}
	}
	return s
}

// isAmount reports whether "revenue" is that of a company, not the function: an
// amount stands beside it.
func (p *parser) isAmount(s segment.Span) bool {
	money := func(o segment.Span) bool { return o.Type == segment.Quantity && o.Quantity.Kind == quantity.Money }
	return p.words(s) == "revenue" && (money(p.peek(-1)) || money(p.peek(1)) || money(p.peek(2)))
}

// teachesThere reports whether "at" stands between a title of universities and a
// school: professors at Harvard need not have studied there.
func (p *parser) teachesThere() bool {
	if !p.isCue(p.peek(-1), cue.At) {
		return false
	}
	return slices.ContainsFunc(p.facts, func(f fact) bool {
		return f.name == query.FilterPosition && !f.not && f.when == current && slices.ContainsFunc(f.values, ofUniversity)
	})
}

// ofUniversity reports whether a title is one of universities.
func ofUniversity(title string) bool {
	of := []string{"professor", "lecturer", "researcher", "research scientist", "postdoc", "dean", "librarian"}
	return slices.ContainsFunc(of, func(word string) bool { return strings.Contains(title, word) })
}

// trade is the industry of the same name, where "in" stands between a role and a
// function, or a role of another function right before a word that is not the function's
// name: a recruiter in advertising works for an agency, as does a financial analyst
// advertising.
func (p *parser) trade(s segment.Span) (segment.Span, bool) {
	if s.Len() > 2 || p.last < 0 || p.facts[p.last].name != query.FilterPosition || len(p.facts[p.last].values) == 0 {
		return segment.Span{}, false
	}
	other := analysis.Function(strings.Trim(p.facts[p.last].values[0], `"=`))
	beside := p.lastAt == s.From && p.adjoining(s) && other != "" && other != s.Sense.Function && p.words(s) != s.Sense.Name
	if !beside && !p.isCue(p.peek(-1), cue.In) {
		return segment.Span{}, false
	}
	for _, other := range p.others[s.From] {
		if other.To == s.To && other.Type == lexicon.Industry && other.Sense.Name != "" {
			return other, true
		}
	}
	return segment.Span{}, false
}

// tradeLeftOut is the industry of the same name, where a function is left out that
// somebody is asked for by the title: recruiters, not in staffing.
func (p *parser) tradeLeftOut(s segment.Span) (segment.Span, bool) {
	asked := func(f fact) bool {
		return f.name == query.FilterPosition && !f.not && len(f.values) > 0 && analysis.Function(strings.Trim(f.values[0], `"=`)) == s.Sense.Function
	}
	if !p.not || !slices.ContainsFunc(p.facts, asked) {
		return segment.Span{}, false
	}
	for _, other := range p.others[s.From] {
		if other.To == s.To && other.Type == lexicon.Industry && other.Sense.Name != "" {
			return other, true
		}
	}
	return segment.Span{}, false
}

// named are the alternatives of what the lexicon or the vocabulary knows by
// name.
func (p *parser) named(s segment.Span) []string {
	if len(s.Sense.Values) > 0 {
		if own, ok := p.ownWords(s); ok {
			return own
		}
		return s.Sense.Values
	}
	text := s.Known.Term
	if s.Known.Distance == 0 {
		text = p.text(s)
	}
	return []string{alternative(text)}
}

// ownWords are the prompt's own words of a reading of the lexicon, where the
// directory knows just them: what the lexicon takes for the same may be somebody
// else there. Lists, such as the big four, have no words of their own.
func (p *parser) ownWords(s segment.Span) ([]string, bool) {
	var kind prompt.Kind
	switch s.Type {
	case lexicon.CompanyAlias:
		kind = prompt.Company
	case lexicon.SchoolAlias:
		kind = prompt.School
	case lexicon.Skill, lexicon.Language:
		kind = prompt.Skill
	default:
		return nil, false
	}
	if len(s.Sense.Values) == 0 || !p.known.knows(kind, p.words(s)) {
		return nil, false
	}
	return []string{alternative(p.text(s))}, true
}

// text is the prompt's own words of a reading, without a possessive.
func (p *parser) text(s segment.Span) string {
	var parts []string
	for i, t := range p.tokens[s.From:s.To] {
		text := t.Text
		if t.Possessive {
			text = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(text, "s"), "S"), "'’")
		}
		if i > 0 && t.Tight() {
			parts[len(parts)-1] += "-" + text
			continue
		}
		if i > 0 && t.Gap != "" && !t.Spaced {
			parts[len(parts)-1] += t.Gap + text
			continue
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// alternative writes a text in the filter grammar; what the grammar or the
// analysis cannot read of it is left out.
func alternative(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == '"' || r == ',' || r == '\\' || r < ' ' {
			return ' '
		}
		return r
	}, text)), " ")
	if clean := strings.TrimLeft(text, "-+= "); clean != text {
		text = clean
	}
	return query.Alternative{Text: text}.String()
}

// readCompany makes a fact of a company.
func (p *parser) readCompany(s segment.Span) {
	if p.backs(s) {
		p.ignored, p.notes = append(p.ignored, s), appendNew(p.notes, investedNote)
		return
	}
	f := fact{name: query.FilterCompany, values: p.named(s)}
	if s.Type == lexicon.CompanyAlias && s.Sense.Filter != "" {
		f.name = s.Sense.Filter
	}
	if p.behindAlumni(s) {
		p.when, p.gone, p.verb = past, true, false
		defer p.endScope()
	}
	p.add(f, s)
	p.endJob(s)
}

// behindAlumni reports whether the list that the reading is in ends in "alumni".
func (p *parser) behindAlumni(s segment.Span) bool {
	for i := p.at + 1; i < len(p.spans); i++ {
		next := p.spans[i]
		switch {
		case p.isCue(next, cue.Alumnus, cue.ExColleagues):
			return next.From == s.To || p.spans[i-1].Group() == s.Group()
		case next.Group() == s.Group() && next.Type != lexicon.Cue, p.isCue(next, cue.And, cue.Or):
		default:
			return false
		}
	}
	return false
}

// endScope goes back to the current job.
func (p *parser) endScope() { p.when, p.gone, p.verb, p.spent = current, false, false, false }

// endJob ends a scope of one word behind the list that the reading is in, and
// notes that a phrase has its employer.
func (p *parser) endJob(s segment.Span) {
	if p.when == current {
		return
	}
	if !p.verb {
		if !p.goesOn(s) {
			p.endScope()
		}
		return
	}
	if g := s.Group(); g == segment.GroupCompany || g == segment.GroupIndustry {
		p.spent = true
	}
}

// goesOn reports whether the next reading is an alternative of this one.
func (p *parser) goesOn(s segment.Span) bool {
	i := p.at + 1
	joined := false
	for i < len(p.spans) && p.isCue(p.spans[i], cue.And, cue.Or) {
		joined = p.isCue(p.spans[i], cue.Or)
		i++
	}
	if i >= len(p.spans) {
		return false
	}
	next := p.spans[i]
	t := p.tokens[next.From]
	return next.Group() == s.Group() && (joined || i > p.at+1 || t.Comma() || t.Slash())
}

func quoted(text string) string {
	return query.Alternative{Text: text, Phrase: strings.Contains(text, " ")}.String()
}

// readIndustry makes a fact of what companies do, or how large or old they are.
func (p *parser) readIndustry(s segment.Span) {
	if f, ok := p.workOf(s); ok {
		p.add(f, s)
		return
	}
	f := fact{name: s.Sense.Filter, values: s.Sense.Values, excluded: s.Sense.Excluded, keywords: s.Sense.Keywords, broader: s.Sense.Broader}
	switch s.Type {
	case segment.Label:
		f = fact{name: query.FilterCompanyIndustry, values: []string{quoted(s.Known.Term)}}
	case segment.Keyword:
		f = fact{name: query.FilterCompanyKeywords, values: []string{quoted(s.Known.Term)}}
	}
	if s.Type == lexicon.FundingStage && strings.Contains(p.text(s), "+") {
		f.values = orLater(f.values)
	}
	p.add(f, s)
	if p.ofStartups(s) {
		p.add(fact{name: query.FilterCompanyType, values: []string{"startup"}}, s)
	}
	p.endJob(s)
}

// orLater is a stage of funding with those behind it: Series B+.
func orLater(stages []string) []string {
	order := []string{`"pre seed"`, "seed", `"series a"`, `"series b"`, `"series c"`, `"series d"`, `"series e"`, `"series f"`, `"series g"`, `"series h"`}
	if i := slices.Index(order, stages[0]); i >= 0 {
		return order[i:]
	}
	return stages
}

// workOf is what people of an employer that the prompt names do, where the industry
// stands before them: the payments team at Acme, cybersecurity leaders at Acme.
func (p *parser) workOf(s segment.Span) (fact, bool) {
	if p.leadsAtOthers(s) {
		return fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}, true
	}
	next := p.peek(1)
	noun, _, _ := strings.Cut(p.words(next), " ") // "team at" is a cue
	if next.Type != lexicon.Leader && next.Type != lexicon.Seniority && !lexicon.IsTeam(noun) || !p.adjoining(next) {
		return fact{}, false
	}
	if !slices.ContainsFunc(p.spans, func(o segment.Span) bool { return o.Group() == segment.GroupCompany }) {
		return fact{}, false
	}
	for _, other := range p.others[s.From] {
		if other.To == s.To && other.Type == lexicon.Function {
			return fact{name: query.FilterFunction, values: other.Sense.Values}, true
		}
	}
	return fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}, true
}

// leadsAtOthers reports whether an industry says what somebody leads who works in
// another one, or at a company that is named: in charge of packaging at breweries.
func (p *parser) leadsAtOthers(s segment.Span) bool {
	before := p.peek(-1)
	if p.isCue(before, cue.For, cue.In) {
		before = p.peek(-2)
	}
	if !p.isCue(before, cue.Leads) && before.Type != lexicon.Leader && before.Type != lexicon.Seniority || !p.isCue(p.peek(1), cue.At) {
		return false
	}
	at, _ := p.next(p.at + 2)
	return at.Group() == segment.GroupIndustry || at.Group() == segment.GroupCompany
}

// ofStartups reports whether the name of an industry says that its startups are
// meant, and no other companies beside them: fintech startups.
func (p *parser) ofStartups(s segment.Span) bool {
	if last := p.tokens[s.To-1].Norm; s.Type != lexicon.Industry || s.Len() == 1 || last != "startup" && last != "startups" {
		return false
	}
	return !p.isCue(p.peek(1), cue.And, cue.Or) || p.peek(2).Group() != segment.GroupIndustry
}

// readSkill makes a fact of a skill, a language, a degree or a field of study.
func (p *parser) readSkill(s segment.Span) {
	if s.Sense.Name == "no_degree" {
		p.not, p.notGroup = true, ""
		defer func() { p.not, p.notGroup = false, "" }()
	}
	f := fact{name: s.Sense.Filter, values: s.Sense.Values}
	if own, ok := p.ownWords(s); ok {
		f.values = own
	}
	if len(f.values) == 0 {
		f = fact{name: query.FilterSkills, values: []string{quoted(s.Known.Term)}}
	}
	p.add(f, s)
}

// subject reports whether the verb before says what was studied, not where.
func (p *parser) subject() bool {
	w := p.words(p.peek(-1))
	return strings.HasSuffix(w, "studied") || strings.HasSuffix(w, "studying") || strings.HasSuffix(w, "read") || strings.HasSuffix(w, "for")
}

// readNamed makes a fact of what is named as a company, a school or a place and
// not known.
func (p *parser) readNamed(s segment.Span) {
	text := alternative(p.text(s))
	f := fact{values: []string{text}, nobody: true}
	if p.theirCompany(s) {
		return
	}
	switch s.Group() {
	case segment.GroupPlace:
		f.name = query.FilterCity
	case segment.GroupCompany:
		f.name = query.FilterCompany
	case segment.GroupSchool:
		f.name = query.FilterSchool
		if p.subject() {
			f.name = query.FilterFieldOfStudy
		}
	case segment.GroupStudy:
		f.name = query.FilterFieldOfStudy
	case segment.GroupSkill:
		f.name = query.FilterSkills
	case segment.GroupName:
		p.readName(s)
		return
	default:
		p.unknown = append(p.unknown, s)
		return
	}
	p.add(f, s)
	p.endJob(s)
}
