package analysis

import (
	"strings"

	"kith"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// TermTexts maps terms to their spelling in a record: "engineering manager" to "Engineering Manager".
type TermTexts map[Term]string

// PersonTexts returns the spelling of a person's jobs, schools and skills for their terms in [PersonTerms]. It leaves
// out names, which follow their own rules for capitals, and places, which the gazetteer can spell.
func PersonTexts(p kith.Person) TermTexts {
	t := TermTexts{}
	for _, job := range p.Jobs() {
		t.put(TermTitle, strings.Join(taxonomy.Title(job.Title), " "), job.Title)
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

// CompanyTexts is [PersonTexts] for a company's terms.
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
	t.put(kind, strings.Join(tokenizer.Tokens(text), " "), text)
}

// put keeps the first spelling of a term, with single spaces.
func (t TermTexts) put(kind TermKind, term, text string) {
	key := Term{Kind: kind, Text: term}
	if _, known := t[key]; !known && term != "" && len(text) <= 2*maxTermLength {
		t[key] = strings.Join(strings.Fields(text), " ")
	}
}
