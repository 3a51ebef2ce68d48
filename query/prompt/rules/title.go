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

// modifiedTitles makes one title of a title and the words right before it that
// may stand there: a fraud data scientist is a data scientist, but asked for are
// those with all these words in the title. So it does with a grade before or behind it:
// L2 support engineers, SOC analysts tier 1.
func (p *parser) modifiedTitles() {
	for from := 0; from < len(p.spans); from++ {
		at, grade := p.beforeTitle(from)
		if at == len(p.spans) || !p.isTitle(p.spans[at]) {
			continue
		}
		title, to := p.spans[at], at+1
		before := p.textOf(p.spans[from:at])
		if n, behind := p.gradeAt(to); n > 0 && grade == "" {
			grade, to = behind, to+n
		}
		if before == "" && grade == "" {
			continue
		}
		s := segment.Span{From: p.spans[from].From, To: p.spans[to-1].To, Type: lexicon.Role}
		s.Sense = lexicon.Title(token.Norms(p.tokens[s.From:s.To]))
		s.Sense.Values = modified(before, grade, p.text(title), title)
		p.spans = slices.Replace(p.spans, from, to, s)
	}
}

// beforeTitle is where the title of the words that begin at a place may stand, and the
// grade among them, if there is one.
func (p *parser) beforeTitle(at int) (title int, grade string) {
	for at+1 < len(p.spans) && p.adjoining(p.spans[at+1]) {
		n, g := p.gradeAt(at)
		switch {
		case n > 0 && at+n < len(p.spans) && p.adjoining(p.spans[at+n]):
			grade = g
			at += n
		case p.modifies(p.spans[at]):
			at++
		default:
			return at, grade
		}
	}
	return at, grade
}

// textOf is the prompt's own words of readings, but for those of a grade.
func (p *parser) textOf(spans []segment.Span) string {
	var parts []string
	for _, s := range spans {
		if w := p.words(s); w == "tier" || w == "level" || s.Type == segment.Quantity || gradeOf(w) != "" {
			continue
		}
		parts = append(parts, p.text(s))
	}
	return strings.Join(parts, " ")
}

// maxModified is how many spellings a title may have to be asked for by each with the
// words before it.
const maxModified = 6

// modified are a title and its other spellings with words before it, and of a grade if
// it is not empty: high school math teachers are mathematics teachers, too.
func modified(before, grade, text string, title segment.Span) []string {
	last := text[strings.LastIndexByte(text, ' ')+1:]
	if one := title.Sense.Name[strings.LastIndexByte(title.Sense.Name, '_')+1:]; lexicon.IsPlural(one, strings.ToLower(last)) {
		text = strings.TrimSuffix(text, last) + one // of boat mechanics, whose plural the analysis keeps
	}
	titles := []string{text}
	if title.Type == lexicon.Role && len(title.Sense.Values) <= maxModified {
		titles = append(titles, title.Sense.Values...)
	}
	var values []string
	seen := map[string]bool{}
	for _, g := range grades(grade) {
		for _, t := range titles {
			value := strings.Join(strings.Fields(g+" "+before+" "+strings.Trim(t, `="`)), " ")
			words := analysis.Title(value)
			slices.Sort(words)
			if key := strings.Join(words, " "); !seen[key] {
				seen[key] = true
				values = append(values, alternative(value))
			}
		}
	}
	return values
}

// grades are the ways to write a grade: that of L2 support is tier 2, too.
func grades(grade string) []string {
	if grade == "" {
		return []string{""}
	}
	return []string{"L" + grade, "tier " + grade, "level " + grade}
}

// gradeOf is the number of a grade that is one word: 2 of l2.
func gradeOf(w string) string {
	if n, isGrade := strings.CutPrefix(w, "l"); isGrade && (n == "1" || n == "2" || n == "3") {
		return n
	}
	return ""
}

// gradeAt is how many readings at a place say how high a title is by a number, and the
// number: L2, tier 2, level 2.
func (p *parser) gradeAt(at int) (n int, grade string) {
	s, next := p.peekAt(at), p.peekAt(at+1)
	if at >= len(p.spans) || at > 0 && !p.adjoining(s) && p.isTitle(p.peekAt(at-1)) {
		return 0, ""
	}
	if g := gradeOf(p.words(s)); g != "" {
		return 1, g
	}
	if w := p.words(s); w != "tier" && w != "level" || next.Len() != 1 || !p.adjoining(next) {
		return 0, ""
	}
	return min(2, 2*len(gradeOf("l"+p.words(next)))), gradeOf("l" + p.words(next))
}

// modifies reports whether a reading may be a word of the title behind it: one that
// is listed, or one without a meaning, as no list has all.
func (p *parser) modifies(s segment.Span) bool {
	t := p.tokens[s.From]
	if t.Norm == "first" && s.From > 0 && p.tokens[s.From-1].Article() { // a first backend engineer
		return false
	}
	if isFirstPerson(t.Norm) && strings.ContainsAny(t.Text, "'’") { // we're reporters
		return false
	}
	if segment.IsInfinitive(p.tokens, s.From) { // we want to sponsor PhD students
		return false
	}
	if p.words(s) == "high school" {
		next := p.words(p.peekAt(slices.IndexFunc(p.spans, func(o segment.Span) bool { return o.From == s.To })))
		return strings.Contains(next, "teacher")
	}
	if w := p.words(s); w == "owner" || w == "consultant" { // owner dentists, consultant radiologists
		next := slices.IndexFunc(p.spans, func(o segment.Span) bool { return o.From == s.To })
		return next >= 0 && p.severalOf(p.spans[next])
	}
	return s.Type == lexicon.Modifier || s.Type == segment.Unknown && t.Kind == token.Word && (!t.Possessive || segment.SaysForWhom(t)) && (len(t.Norm) > 2 || t.Shout() && p.hasLower()) && !lexicon.Describes(t.Norm)
}

// grade is the number behind a title that says how high it is, as a word that the title
// must have: structural engineer III.
func (p *parser) grade(title segment.Span) string {
	next := p.peek(1)
	if next.From != title.To || next.Len() != 1 || p.tokens[next.From].Comma() {
		return ""
	}
	switch w := p.words(next); w {
	case "ii", "iii", "iv":
		return wordMark + w
	}
	return ""
}

// titleOrSubject reads what somebody is a professor of, a certificate that is a title
// where none is said, a subject of experience and a law degree: those with the words in
// the title, or of experience in the profile, or the education or the skill.
func (p *parser) titleOrSubject(s segment.Span, f fact) bool {
	title := fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}
	before := p.peek(-2)
	w := p.words(before)
	teaches := p.isCue(p.peek(-1), cue.Of, cue.In) && before.Group() == segment.GroupRole && segment.Teaches(w) || p.behindSubject(s)
	practised := f.name == query.FilterFieldOfStudy && p.isCue(p.peek(-1), cue.Know) && strings.Contains(p.words(p.peek(-1)), "experience")
	certified := (isCertificate(s.Sense.Name) || s.Len() == 1 && s.Type == lexicon.Skill && p.tokens[s.From].Abbreviations()) && !p.isCue(p.peek(-1), cue.With, cue.Know) && !slices.ContainsFunc(p.spans, isJob)
	ofLaw := p.words(s) == "law" && strings.HasPrefix(p.words(p.peek(1)), "degree") && p.adjoining(p.peek(1))
	if p.not || !teaches && !certified && !practised && !ofLaw {
		return false
	}
	title.says, f.says = p.text(s)+" in the title", asStudy
	switch {
	case ofLaw:
		title.name, title.values, title.says = query.FilterDegree, []string{"JD", `"juris doctor"`, "LLB", "LLM"}, "JD, LLB or LLM"
		f.says = "law as field of study"
	case practised:
		title.name, title.says = query.FilterKeywords, p.text(s)+" in the profile"
	}
	if f.name == query.FilterSkills {
		f.says = "as skill"
	}
	list := -1 // of another one: CPAs and CFAs, professors of history or law
	if p.last >= 0 && (certified || teaches) && p.facts[p.last].says == f.says && p.listed(p.lastAt, s.From) {
		list = p.facts[p.last].list
	}
	p.add(title, s)
	p.add(f, s)
	if list < 0 {
		list = p.facts[p.last-1].list
	}
	p.facts[p.last].list, p.facts[p.last-1].list = list, list
	return true
}

// behindSubject reports whether a reading goes on with a list of what somebody teaches.
func (p *parser) behindSubject(s segment.Span) bool {
	return p.last >= 0 && p.facts[p.last].says == asStudy && p.listed(p.lastAt, s.From)
}

// subjectToo is a reading as a field of study, where it goes on with such a list:
// professors of sociology or education.
func (p *parser) subjectToo(s segment.Span) (segment.Span, bool) {
	if s.Type == lexicon.FieldOfStudy || !p.behindSubject(s) {
		return segment.Span{}, false
	}
	return p.otherwise(s, func(o segment.Span) bool { return o.Type == lexicon.FieldOfStudy })
}

// isCertificate reports whether a skill is a certificate that people are called by.
func isCertificate(name string) bool {
	switch name {
	case "cpa", "p_eng", "c_eng", "i_eng", "p_geo", "aicp":
		return true
	}
	return false
}

// isTitle reports whether a reading is a title, or the noun of titles: also
// those that alone are read as a level.
func (p *parser) isTitle(s segment.Span) bool {
	switch s.Type {
	case lexicon.Role, lexicon.CRole, lexicon.Head, segment.KnownTitle:
		return true
	case lexicon.Leader:
		switch p.words(s) {
		case "manager", "managers", "lead", "leads":
			return true
		}
	}
	return false
}

// investorsThere lets the partners and principals of a company that is named, or of funds,
// count as its investors: elsewhere these titles are of lawyers and teachers.
func (p *parser) investorsThere() {
	funds := []string{`"Venture Capital"`, `"Private Equity"`, `"Investment Management"`}
	there := slices.ContainsFunc(p.facts, func(f fact) bool {
		ofFunds := f.name == query.FilterCompanyIndustry && slices.ContainsFunc(f.values, func(v string) bool { return slices.Contains(funds, v) })
		return !f.not && f.when == current && (f.name == query.FilterCompany || ofFunds)
	})
	for i, f := range p.facts {
		if there && f.name == query.FilterPosition && !f.not && f.when == current && slices.Contains(f.values, `"venture capitalist"`) {
			p.facts[i].values = appendNew(slices.Clone(f.values), "=partner", `"managing partner"`, "=principal")
		}
	}
}
