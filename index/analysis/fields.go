package analysis

import (
	"slices"
	"strings"

	"kith"
	"kith/index"
	"kith/query"
)

// fields collects the values of a document or a sub-document; empty values are
// left out.
type fields struct{ index.Fields }

func newFields(size int) fields {
	return fields{index.Fields{
		Keywords: make(map[query.Field][]string, size),
		Words:    make(map[query.Field][][]string, size/2),
		Numbers:  make(map[query.Field]int64, 4),
	}}
}

func (f fields) keyword(name query.Field, values ...string) {
	for _, v := range values {
		if v != "" && !slices.Contains(f.Keywords[name], v) {
			f.Keywords[name] = append(f.Keywords[name], v)
		}
	}
}

// words adds a sequence of tokens, unless the field has the same.
func (f fields) words(name query.Field, tokens []string) {
	if len(tokens) == 0 {
		return
	}
	for _, have := range f.Words[name] {
		if slices.Equal(have, tokens) {
			return
		}
	}
	f.Words[name] = append(f.Words[name], tokens)
}

func (f fields) number(name query.Field, v *int64) {
	if v != nil {
		f.Numbers[name] = *v
	}
}

func (f fields) place(t PlaceTerms) {
	f.keyword(query.Country, t.Country)
	f.keyword(query.State, t.State)
	f.keyword(query.City, t.City...)
	f.keyword(query.Place, t.Place...)
	f.keyword(query.Region, t.Region...)
	f.keyword(query.Metro, t.Metro...)
}

// companyName fills the two fields of a company's names.
func (f fields) companyName(c kith.Company, tokens, exact query.Field) {
	f.oneCompanyName(c.Name, tokens, exact)
	for _, alias := range c.Aliases {
		f.oneCompanyName(alias, tokens, exact)
	}
}

func (f fields) oneCompanyName(name string, tokens, exact query.Field) {
	for i, form := range companyForms(name) {
		f.words(tokens, form)
		if i == 0 {
			f.keyword(exact, cut(strings.Join(form, " "), maxKey))
		}
	}
}

// companyFacts fills what a job and a company document have in common.
func (f fields) companyFacts(c kith.Company) {
	f.words(query.CompanyIndustry, Tokens(c.Industry))
	for _, k := range c.Keywords {
		f.words(query.CompanyKeywords, Tokens(k))
	}
	f.words(query.CompanyType, Tokens(c.Type))
	if c.Funding != nil {
		f.words(query.CompanyFundingStage, Tokens(c.Funding.LastRoundStage))
	}
	if c.EmployeeCount > 0 {
		f.Numbers[query.CompanySize] = int64(c.EmployeeCount)
	}
	if c.FoundedYear > 0 {
		f.Numbers[query.CompanyFounded] = int64(c.FoundedYear)
	}
}

// siteKeys are the host of a company's site, and the whole address where it has
// a path.
func siteKeys(domain string) []string {
	key, ok := URLKey(domain)
	if !ok {
		return nil
	}
	return []string{URLHost(key), key}
}

// titleKey is a whole normal form in one term.
func titleKey(title []string) string { return cut(strings.Join(title, " "), maxKey) }
