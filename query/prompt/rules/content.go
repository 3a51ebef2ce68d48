package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// readContent makes a fact of a reading that means something by itself.
func (p *parser) readContent(s segment.Span) {
	s = p.asTongue(p.asLeftOut(s))
	if p.likened(s) {
		return
	}
	if p.taught(s) {
		return
	}
	switch s.Group() {
	case segment.GroupPlace:
		p.readWhere(s)
	case segment.GroupCompany:
		p.readCompany(s)
	case segment.GroupRole:
		p.readRole(s)
	case segment.GroupSchool:
		f := fact{name: query.FilterSchool, values: p.named(s)}
		if p.worksThere() {
			f.name = query.FilterCompany
		}
		p.add(f, s)
		p.endAlumni(s)
	case segment.GroupIndustry:
		p.readIndustry(s)
	case segment.GroupFunction:
		p.readFunction(s)
	case segment.GroupSkill, segment.GroupStudy:
		p.readSkill(s)
	default:
		p.unknown = append(p.unknown, s)
	}
}

// readWhere makes a fact of a place, unless it is a school or says what is not on record.
func (p *parser) readWhere(s segment.Span) {
	note := ""
	switch {
	case p.readCampus(s):
		return
	case p.studiedThere():
		note = "where a school is, is not on record"
	case p.movedFrom(s):
		note = originNote
	case p.ofDegree(s):
		note = "where a degree is from is not on record; name the schools"
	case p.ofCitizens(s):
		note = "whose citizen somebody is, is not on record"
	default:
		p.readPlace(s)
		return
	}
	p.ignore(note, s)
}

// ofDegree reports whether a place says where a degree is from: a UK degree, a German
// engineering degree, British qualifications.
func (p *parser) ofDegree(s segment.Span) bool {
	next := p.peek(1)
	if next.Type == lexicon.FieldOfStudy && p.adjoining(next) {
		next = p.peek(2)
	}
	if !p.adjoining(next) {
		return false
	}
	switch p.words(next) {
	case "degree", "degrees", "education", "diploma", "diplomas", "qualification", "qualifications", "university degree", "university degrees":
		return true
	}
	return next.Type == lexicon.Degree && p.isCue(p.peek(-1), cue.With) || next.Type == lexicon.Degree && p.tokens[max(0, s.From-1)].Article()
}

// readFunction makes a fact of a field of work, or of the industry that it is, too.
func (p *parser) readFunction(s segment.Span) {
	if p.isAmount(s) {
		p.ignored = append(p.ignored, s)
		return
	}
	if p.carriedOut(s) {
		return
	}
	if p.isSpecialty(s) { // no recruiter's function is finance
		p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(s))}}, s)
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
	f := fact{name: query.FilterFunction, values: s.Sense.Values}
	if p.leavesOutOwn(s) || p.words(s) == "strategy" && (p.isCue(p.peek(-1), cue.Leads) || p.peek(-1).Type == lexicon.Leader) { // an accountant, not tax: the word in the title, or nobody would be left
		f = fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}
	}
	p.add(f, s)
	p.endJob(s)
}

// studiedThere reports whether "studied in" or "did their degree in" stands before a place, in
// a prompt that has said where the people live, or who they are: partners in Bern who studied
// in the US, nurses who did their degree in Ireland.
func (p *parser) studiedThere() bool {
	before := p.peek(-1)
	if !p.isCue(before, cue.In, cue.Studied, cue.Majored) || p.verbs != cue.Studied && p.verbs != cue.Majored {
		return false
	}
	directly := !p.isCue(before, cue.In) || p.isCue(p.peek(-2), cue.Studied) || p.last >= 0 && p.facts[p.last].name == query.FilterDegree && p.verbs == cue.Studied
	if p.isCue(before, cue.Majored) && (hasWord(p.words(before), "with") || slices.Contains(p.spell(before), "with")) { // with a bachelor's degree in Dallas
		directly = false
	}
	return p.saysWhere() || directly && p.isTitled()
}

// isAmount reports whether "revenue" or "sales" are those of a company, not the function: an
// amount stands beside it.
func (p *parser) isAmount(s segment.Span) bool {
	money := func(o segment.Span) bool {
		return o.Type == segment.Quantity && (o.Quantity.Kind == quantity.Money || o.Quantity.Kind == quantity.Plain && o.Quantity.A >= 1_000_000)
	}
	if w := p.words(s); w != "revenue" && w != "sales" {
		return false
	}
	if p.isCue(p.peek(-1), cue.In) { // $2M in sales; people in sales with a $2M quota
		return money(p.peek(-2))
	}
	return money(p.peek(-1)) || money(p.peek(1)) || money(p.peek(2))
}

// worksThere reports whether "at" stands between a job, or work, and a school: nurses
// at the University of Michigan need not have studied there. Founders and students may be
// at one without a job there.
func (p *parser) worksThere() bool {
	if p.last >= 0 && p.facts[p.last].name == query.FilterCompany && p.prep == cue.At && p.goesOnWith(p.spans[p.at]) {
		return true
	}
	if !p.isCue(p.peek(-1), cue.At) || p.verbs == cue.Studied || p.behindStudy() {
		return false
	}
	return p.isCue(p.peek(-2), cue.Work, cue.Any, cue.Past) || slices.ContainsFunc(p.facts, func(f fact) bool {
		job := f.name == query.FilterPosition || f.name == query.FilterFunction || f.name == query.FilterSeniority
		return job && !f.not && f.when == current && !slices.ContainsFunc(f.values, ofStudents)
	})
}

// ofStudents reports whether a title is none that a university employs people by.
func ofStudents(title string) bool {
	of := []string{"student", "founder", "intern", "phd"}
	return slices.ContainsFunc(of, func(word string) bool { return strings.Contains(title, word) })
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
		if t.Possessive && i == s.Len()-1 {
			text = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(text, "s"), "S"), "'’")
		}
		if i > 0 && t.Tight() {
			parts[len(parts)-1] += "-" + text
			continue
		}
		if i > 0 && !t.Spaced && (t.Gap != "" || strings.HasPrefix(t.Text, ".")) { // P.Eng
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
	switch {
	case p.backs(s):
		p.ignore(investedNote, s)
		return
	case p.boughtBy(s):
		p.ignore(soldNote, s)
		return
	case p.used(s):
		p.add(fact{name: query.FilterSkills, values: []string{quoted(p.text(s))}}, s)
		return
	case p.knownBy(s):
		p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(s))}}, s)
		return
	}
	f := fact{name: query.FilterCompany, values: p.named(s)}
	if s.Type == lexicon.CompanyAlias && s.Sense.Filter != "" {
		f.name = s.Sense.Filter
	}
	if p.leftByAlumni(s) {
		defer p.endScope()
	}
	p.add(f, s)
	p.endJob(s)
}

// leftByAlumni begins the scope of an ended job where the list that the reading is in
// ends in "alumni", and reports whether it does.
func (p *parser) leftByAlumni(s segment.Span) bool {
	if !p.behindAlumni(s) {
		return false
	}
	p.when, p.gone, p.verb = past, true, false
	return true
}

// behindAlumni reports whether the list that the reading is in ends in "alumni".
func (p *parser) behindAlumni(s segment.Span) bool {
	for i := p.at + 1; i < len(p.spans); i++ {
		next := p.spans[i]
		switch {
		case p.isCue(next, cue.Alumnus, cue.ExColleagues):
			return next.From == s.To || p.spans[i-1].Group() == s.Group() || i == p.at+2 && p.adjoining(next)
		case i == p.at+1 && next.InGroup(segment.GroupFunction, segment.GroupSkill) && p.adjoining(next): // Acme equity research alumni
		case next.Group() == s.Group() && next.Type != lexicon.Cue, p.isCue(next, cue.And, cue.Or):
		default:
			return false
		}
	}
	return false
}

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

// readSkill makes a fact of a skill, a language, a degree or a field of study.
func (p *parser) readSkill(s segment.Span) {
	if s.Sense.Name == "no_degree" { // nobody without a degree has one
		p.not, p.notGroup = !p.not, ""
		defer p.endNot()
	}
	f := fact{name: s.Sense.Filter, values: s.Sense.Values, spoken: s.Type == lexicon.Language}
	if own, ok := p.ownWords(s); ok {
		f.values = own
	}
	if len(f.values) == 0 {
		f = fact{name: query.FilterSkills, values: []string{quoted(s.Known.Term)}}
	}
	if s.Type == lexicon.Degree && p.orHigher(s) {
		f.values = higher(f.values)
	}
	if !p.titleOrSubject(s, f) {
		p.add(f, s)
	}
}

// subject reports whether the verb before says what was studied, not where.
func (p *parser) subject() bool {
	w := p.words(p.peek(-1))
	return strings.HasSuffix(w, "studied") || strings.HasSuffix(w, "studying") || strings.HasSuffix(w, "read") || strings.HasSuffix(w, "for")
}

// readNamed makes a fact of what is named as a company, a school or a place and
// not known.
func (p *parser) readNamed(s segment.Span) {
	text := alternative(p.nameOf(s))
	f := fact{values: []string{text}, nobody: true}
	if p.theirCompany(s) || p.likened(s) {
		return
	}
	switch s.Group() {
	case segment.GroupPlace:
		f.name = query.FilterCity
		if place, last := p.namedWithin(s); last > p.at { // Muleshoe, TX
			f.values = []string{place}
			p.add(f, segment.Span{From: s.From, To: p.spans[last].To})
			p.at = last + 1
			return
		}
	case segment.GroupCompany:
		f.name, f.values = query.FilterCompany, append(f.values, p.workplace(s)...)
		if p.isCue(p.peek(-1), cue.At) && p.behindStudy() { // a master's in law at LSHTM
			f.name = query.FilterSchool
		}
		if p.leftByAlumni(s) {
			defer p.endScope()
		}
	case segment.GroupSchool:
		f.name = query.FilterSchool
		switch {
		case p.subject():
			f.name = query.FilterFieldOfStudy
		case p.worksThere():
			f.name = query.FilterCompany
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
