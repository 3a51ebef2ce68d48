package analysis

import (
	"strings"

	"kith"
)

// TermTexts are terms as a record writes them: "engineering manager" may be "Engineering Manager".
type TermTexts map[Term]string

// PersonTexts returns how a person's record writes the terms that [PersonTerms] gives of its jobs, schools and skills.
// Those of names and places are left out: names have their own capitals, and the gazetteer knows how places are
// written.
func PersonTexts(p kith.Person) TermTexts {
	t := TermTexts{}
	for _, job := range p.Jobs() {
		t.put(TermTitle, strings.Join(Title(job.Title), " "), job.Title)
		t.company(job.Company)
	}
	for _, e := range p.EducationHistory {
		t.words(TermSchool, e.Institute)
	}
	for _, skill := range p.Skills {
		t.words(TermSkill, skill)
	}
	return t
}

// CompanyTexts is [PersonTexts] for the terms of a company.
func CompanyTexts(c kith.Company) TermTexts {
	t := TermTexts{}
	t.company(c)
	return t
}

func (t TermTexts) company(c kith.Company) {
	t.put(TermCompany, CompanyKey(c.Name), c.Name)
	for _, alias := range c.Aliases {
		t.put(TermCompany, CompanyKey(alias), alias)
	}
	t.words(TermIndustry, c.Industry)
	for _, keyword := range c.Keywords {
		t.words(TermKeyword, keyword)
	}
}

func (t TermTexts) words(kind TermKind, text string) {
	t.put(kind, strings.Join(Tokens(text), " "), text)
}

// put keeps the first text of a term, with single spaces.
func (t TermTexts) put(kind TermKind, term, text string) {
	key := Term{Kind: kind, Text: term}
	if _, known := t[key]; !known && term != "" && len(text) <= 2*maxTermLength {
		t[key] = strings.Join(strings.Fields(text), " ")
	}
}
