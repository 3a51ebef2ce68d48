package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/analysis"
	"kith/query/gazetteer"
	"kith/query/prompt"
)

// adaptIndustry adapts an industry to the dataset: its label, else its keywords, else a broader label.
func (r *reader) adaptIndustry(f fact) fact {
	if f.name != query.FilterCompanyIndustry || len(f.keywords) == 0 && len(f.broader) == 0 {
		return f
	}
	has := func(kind analysis.TermKind, values []string) bool {
		return slices.ContainsFunc(values, func(v string) bool {
			return slices.ContainsFunc(r.terms[gazetteer.PlaceKey(strings.Trim(v, `"`))], func(k prompt.Known) bool {
				return k.Kind == kind && k.Distance == 0
			})
		})
	}
	switch {
	case has(analysis.TermIndustry, f.values):
	case has(analysis.TermKeyword, f.keywords) || len(f.values) == 0 && len(f.keywords) > 0:
		f.name, f.values = query.FilterCompanyKeywords, f.keywords
	case has(analysis.TermIndustry, f.broader):
		f.values = f.broader
	}
	return f
}
