package search

import (
	"slices"
	"time"

	"kith"
	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
)

// understood is what a search asks for.
type understood struct {
	query query.Query
	// exact holds of those who satisfy query to the letter, and implies it; nil
	// where query knows no such difference.
	exact query.Query
	parts []part
}

// part is one condition of a search, for explanations.
type part struct {
	// criterion is the condition as a reader knows it: "position: VP Eng".
	criterion string
	filter    query.FilterInfo
	query     query.Query
}

// filters checks what the filters say.
func (c *checker) filters(filters query.Filters, now time.Time) {
	_, problems := analysis.Compile(filters, now)
	c.fields = append(c.fields, problems...)
}

// meaning makes conditions of a plan and of the filters of the request; both
// must hold. A prompt cannot be wrong, so a problem with a plan's filter is a
// defect of the planner.
func meaning(plan prompt.Plan, filters query.Filters, now time.Time) (understood, error) {
	if plan.Nothing {
		return understood{query: query.None{}}, nil
	}
	var u understood
	var wanted, exact []query.Query
	tiers := false
	for _, given := range []query.Filters{plan.Values(), filters} {
		compiled, problems := analysis.Compile(given, now)
		if len(problems) > 0 {
			return u, &kith.Error{Kind: kith.Internal, Code: "PLAN_INVALID", Detail: "the search could not be planned", Fields: problems}
		}
		wanted = append(wanted, compiled.Query)
		if compiled.Exact == nil {
			exact = append(exact, compiled.Query)
		} else {
			exact, tiers = append(exact, compiled.Exact), true
		}
		u.parts = append(u.parts, partsOf(compiled)...)
	}
	u.query = query.Simplify(query.And{Parts: wanted})
	if tiers {
		u.exact = query.Simplify(query.And{Parts: exact})
	}
	return u, nil
}

// interpretation says what the prompt and the filters of the request were
// understood to ask, the prompt's first.
func interpretation(plan prompt.Plan, filters query.Filters) Interpretation {
	about := Interpretation{
		Filters: []UnderstoodFilter{}, Criteria: []string{}, Steps: []string{},
		Ignored: orEmpty(plan.Ignored), Notes: orEmpty(plan.Notes),
	}
	for _, f := range plan.Filters {
		span := f.Span
		about.Filters = append(about.Filters, UnderstoodFilter{
			Field: f.Name, Value: f.Value, Text: f.Text, Span: &span, Excluded: f.Excluded,
		})
	}
	for _, info := range query.FilterTable() {
		if value, given := filters[info.Name]; given {
			about.Filters = append(about.Filters, UnderstoodFilter{Field: info.Name, Value: value, Excluded: allExcluded(value)})
		}
	}
	return about
}

// allExcluded reports whether a filter says only what must not be.
func allExcluded(value string) bool {
	alternatives, err := query.ParseFilter(value)
	return err == nil && !slices.ContainsFunc(alternatives, func(a query.Alternative) bool { return !a.Excluded })
}

// orEmpty makes null an empty JSON array.
func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
