package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/rules/token"
)

// modifiedTitles makes one title of a title and the words right before it that
// may stand there: a fraud data scientist is a data scientist, but asked for are
// those with all these words in the title.
func (p *parser) modifiedTitles() {
	for from := 0; from < len(p.spans); from++ {
		at := from
		for at+1 < len(p.spans) && p.modifies(p.spans[at]) && p.adjoining(p.spans[at+1]) {
			at++
		}
		title := p.spans[at]
		if at == from || !p.isTitle(title) {
			continue
		}
		s := segment.Span{From: p.spans[from].From, To: title.To, Type: lexicon.Role}
		s.Sense = lexicon.Title(token.Norms(p.tokens[s.From:s.To]))
		s.Sense.Values = modified(p.text(segment.Span{From: s.From, To: title.From}), p.text(title), title)
		p.spans = slices.Replace(p.spans, from, at+1, s)
	}
}

// maxModified is how many spellings a title may have to be asked for by each with the
// words before it.
const maxModified = 6

// modified are a title and its other spellings with words before it: high school math
// teachers are mathematics teachers, too.
func modified(before, text string, title segment.Span) []string {
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
	for _, grade := range grades(before) {
		for _, t := range titles {
			value := grade + " " + strings.Trim(t, `="`)
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
func grades(before string) []string {
	if n, isGrade := strings.CutPrefix(strings.ToLower(before), "l"); isGrade && (n == "1" || n == "2" || n == "3") {
		return []string{before, "tier " + n, "level " + n}
	}
	return []string{before}
}

// modifies reports whether a reading may be a word of the title behind it: one that
// is listed, or one without a meaning, as no list has all.
func (p *parser) modifies(s segment.Span) bool {
	t := p.tokens[s.From]
	next := p.words(p.peekAt(slices.IndexFunc(p.spans, func(o segment.Span) bool { return o.From == s.To })))
	switch {
	case p.words(s) == "high school":
		return strings.Contains(next, "teacher")
	case len(grades(t.Norm)) > 1:
		return strings.Contains(next, "support")
	}
	return s.Type == lexicon.Modifier || s.Type == segment.Unknown && t.Kind == token.Word && !t.Possessive && len(t.Norm) > 2 && !lexicon.Describes(t.Norm)
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

// titleOrSubject reads what somebody is a professor of, and a certificate that is a title
// where none is said: those with the words in the title, or the education or the skill.
func (p *parser) titleOrSubject(s segment.Span, f fact) bool {
	title := fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}
	before := p.peek(-2)
	teaches := p.isCue(p.peek(-1), cue.Of, cue.In) && before.Group() == segment.GroupRole && strings.Contains(p.words(before), "profess")
	certified := s.Sense.Name == "cpa" && s.Len() == 1 && !p.isCue(p.peek(-1), cue.With, cue.Know) && !slices.ContainsFunc(p.spans, isJob)
	if p.not || !teaches && !certified {
		return false
	}
	title.says, f.says = p.text(s)+" in the title", "as field of study"
	if f.name == query.FilterSkills {
		f.says = "as skill"
	}
	p.add(title, s)
	p.add(f, s)
	p.facts[p.last].list = p.facts[p.last-1].list
	return true
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
