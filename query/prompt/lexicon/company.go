package lexicon

import (
	"kith/index/analysis"
	"kith/query"
)

// readCompanies reads everything that is said of companies.
func (l *Lexicon) readCompanies() {
	l.readIndustries()
	for _, r := range rows("company_kinds.tsv") {
		for _, f := range r.forms(3) {
			l.addNoun(f.text, Sense{
				Type: Type(r.column(0)), Name: r.column(1), Filter: query.FilterName(r.column(4)), Values: splitAlternatives(r.column(2)),
				Prior: 8, NeedsCue: f.needsCue,
			})
		}
	}
	for _, r := range rows("company_aliases.tsv") {
		for _, f := range r.forms(1) {
			s := Sense{
				Type: CompanyAlias, Name: identifier(f.text), Filter: query.FilterCompany, Values: wholeNames(r.list(0)),
				Prior: 7, NeedsCue: f.needsCue,
			}
			if f.needsCue {
				s.Prior = priorModifier
			}
			for _, v := range variants(f.text) {
				l.add(v, s)
			}
		}
	}
}

// wholeNames writes names of several words as phrases.
func wholeNames(names []string) []string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, query.Alternative{Text: n, Phrase: len(analysis.Tokens(n)) > 1}.String())
	}
	return out
}

func (l *Lexicon) readIndustries() {
	for _, r := range rows("industries.tsv") {
		s := Sense{
			Type: Industry, Name: r.column(0), Filter: query.FilterCompanyIndustry,
			Values: wholeNames(r.list(2)), Keywords: wholeNames(r.list(3)), Broader: wholeNames(r.list(4)),
		}
		for _, label := range r.list(2) {
			l.add(label, withPrior(s, 7, false))
		}
		for i, f := range r.forms(1) {
			prior := 7 - 0.2*float64(min(i, 5))
			if f.needsCue {
				prior = priorModifier
			}
			l.addNoun(f.text, withPrior(s, prior, f.needsCue))
		}
	}
}

func withPrior(s Sense, prior float64, needsCue bool) Sense {
	s.Prior, s.NeedsCue = prior, needsCue
	return s
}
