package analysis

import (
	"slices"
	"strings"

	"kith"
	"kith/query"
	"kith/query/gazetteer"
	"kith/query/indexed"
	"kith/query/tokenizer"
)

// fields collects the values of a document or a sub-document; it skips empty values.
type fields struct{ indexed.Fields }

func newFields(keywords, words, numbers int) fields {
	return fields{indexed.Fields{
		Keywords: make(map[query.Field][]string, keywords),
		Words:    make(map[query.Field][][]string, words),
		Numbers:  make(map[query.Field]int64, numbers),
	}}
}

func (f fields) keyword(name query.Field, values ...string) {
	for _, v := range values {
		if v != "" && !slices.Contains(f.Keywords[name], v) {
			f.Keywords[name] = append(f.Keywords[name], v)
		}
	}
}

// words adds a sequence of tokens, unless the field already has it.
func (f fields) words(name query.Field, tokens []string) {
	same := func(have []string) bool { return slices.Equal(have, tokens) }
	if len(tokens) > 0 && !slices.ContainsFunc(f.Words[name], same) {
		f.Words[name] = append(f.Words[name], tokens)
	}
}

// values adds the words of each value; a long value becomes several sequences.
func (f fields) values(name query.Field, values []string) {
	for _, v := range values {
		for part := range slices.Chunk(tokenizer.Tokens(v), query.MaxSequence) {
			f.words(name, part)
		}
	}
}

func (f fields) number(name query.Field, v *int64) {
	if v != nil {
		f.Numbers[name] = *v
	}
}

func (f fields) place(t gazetteer.PlaceTerms) {
	f.keyword(query.Country, t.Country)
	f.keyword(query.State, t.State)
	f.keyword(query.City, t.City...)
	f.keyword(query.Place, t.Place...)
	f.keyword(query.Region, t.Region...)
	f.keyword(query.Metro, t.Metro...)
}

// companyNames fills the two fields of a company's names with the forms of its name and with its aliases.
func (f fields) companyNames(forms [][]string, aliases []string, tokens, exact query.Field) {
	f.companyName(forms, tokens, exact)
	for _, alias := range aliases {
		f.companyName(companyForms(alias), tokens, exact)
	}
}

func (f fields) companyName(forms [][]string, tokens, exact query.Field) {
	for i, form := range forms {
		f.words(tokens, form)
		if i == 0 {
			f.keyword(exact, joinTerm(form))
		}
	}
}

// companyFacts fills the fields that a job and a company document share.
func (f fields) companyFacts(c kith.Company) {
	f.words(query.CompanyIndustry, tokenizer.Tokens(c.Industry))
	f.values(query.CompanyKeywords, c.Keywords)
	f.companyType(query.CompanyType, c)
	if c.Funding != nil {
		f.words(query.CompanyFundingStage, stageTokens(c.Funding.LastRoundStage))
	}
	if c.EmployeeCount > 0 {
		f.Numbers[query.CompanySize] = int64(c.EmployeeCount)
	}
	if c.FoundedYear > 0 {
		f.Numbers[query.CompanyFounded] = int64(c.FoundedYear)
	}
}

// siteKeys returns the host of a company's site, and the whole address if it has a path. For a host shared by many
// companies it returns only the whole address.
func siteKeys(domain string) []string {
	key, ok := URLKey(domain)
	if !ok {
		return nil
	}
	return []string{SiteKey(key), key}
}

// joinTerm joins words into one term.
func joinTerm(words []string) string {
	return tokenizer.Cut(strings.Join(words, " "), tokenizer.MaxKey)
}
