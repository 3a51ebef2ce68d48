package lexicon

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/analysis"
	"kith/query/gazetteer"
	"kith/query/prompt/words"
	"kith/query/tokenizer"
)

// readCompanies reads the tables about companies.
func (l *Lexicon) readCompanies() {
	l.readIndustries()
	for _, r := range rows("company_kinds.tsv") {
		s := &Sense{Type: Type(r.column(0)), Name: r.column(1), Filter: query.FilterName(r.column(4))}
		for _, v := range splitAlternatives(r.column(2)) {
			if excluded, found := strings.CutPrefix(v, "-"); found {
				s.Excluded = append(s.Excluded, excluded)
			} else {
				s.Values = append(s.Values, v)
			}
		}
		for _, f := range r.forms(3) {
			l.addNoun(f.text, s, weakened(8, f), f.needsCue)
		}
	}
	for _, r := range rows("company_aliases.tsv") {
		names := r.list(0)
		s := &Sense{
			Type: CompanyAlias, Name: identifier(names[0]), Filter: query.FilterCompany,
			Values: wholeNames(names),
		}
		if len(r) > 2 {
			s.Name = r.column(2)
		}
		for _, f := range r.forms(1) {
			own := s
			if len(r) == 2 && !f.needsCue {
				own = withSpelling(s, names, f.text)
			}
			l.addWord(f.text, own, weakened(7, f), f.needsCue)
		}
	}
}

// withSpelling adds a spelling to a sense if it is part of the company's names and none of them
// matches it: people at Heidrick need not write Heidrick & Struggles.
func withSpelling(s *Sense, names []string, spelling string) *Sense {
	words := analysis.CompanyName(spelling)
	within := func(part, whole []string) bool {
		return !slices.ContainsFunc(part, func(w string) bool { return !slices.Contains(whole, w) })
	}
	isPart := false
	for _, n := range names {
		name := analysis.CompanyName(n)
		if within(name, words) {
			return s
		}
		isPart = isPart || within(words, name)
	}
	if !isPart {
		return s
	}
	also := *s
	also.Values = append(slices.Clone(s.Values), "="+spelling)
	return &also
}

// weakened returns the prior of a spelling, lower if it needs a cue.
func weakened(prior float64, f form) float64 {
	if f.needsCue {
		return priorWeak
	}
	return prior
}

// wholeNames returns the names as alternatives, those of several words as phrases.
func wholeNames(names []string) []string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, query.Alternative{Text: n, Phrase: len(tokenizer.Tokens(n)) > 1}.String())
	}
	return out
}

func (l *Lexicon) readIndustries() {
	all := rows("industries.tsv")
	senses := make([]*Sense, len(all))
	for i, r := range all {
		senses[i] = &Sense{
			Type: Industry, Name: r.column(0), Filter: query.FilterCompanyIndustry,
			Values: wholeNames(r.list(2)), Keywords: wholeNames(r.list(3)), Broader: wholeNames(r.list(4)),
		}
		for n, f := range r.forms(1) {
			prior := weakened(7-0.1*float64(min(n, 5)), f)
			if l.isFunctionFirst(f.text) {
				prior = min(prior, priorHead-0.2)
			}
			l.addNoun(f.text, senses[i], prior, f.needsCue)
		}
	}
	// A label that is no spelling means the first industry with that label.
	for i, r := range all {
		for _, label := range r.list(2) {
			if len(l.entries[gazetteer.PlaceKey(label)]) == 0 {
				l.addWord(label, senses[i], 6.5, false)
			}
		}
	}
}

// isFunctionFirst reports whether a word for an industry primarily means a function: marketing,
// design. Health care and hospitality are primarily industries.
func (l *Lexicon) isFunctionFirst(text string) bool {
	return slices.ContainsFunc(l.entries[gazetteer.PlaceKey(text)], func(e entry) bool {
		return e.sense.Type == Function && words.In(words.FunctionsFirst, e.sense.Name)
	})
}
