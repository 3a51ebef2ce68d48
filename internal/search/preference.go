package search

import (
	"time"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
)

// prefer adds the preferences of a plan. It ignores a preference that does not compile.
func (u *understood) prefer(plan prompt.Plan, now time.Time) {
	for _, f := range plan.Preferred {
		compiled, problems := analysis.Compile(query.Filters{f.Name: f.Value}, now)
		if len(problems) > 0 {
			continue
		}
		u.preferred = append(u.preferred, query.Simplify(compiled.Query))
		for _, p := range conditionParts(compiled) {
			p.criterion = "preferred: " + p.criterion
			u.parts = append(u.parts, p)
		}
	}
}

// preferredFirst returns the stages of a search with preferences: ordered by how many of them hold, then exact before
// close. Within a network there are only two: people with all of them, then the others.
func (u understood) preferredFirst(near bool) []query.Query {
	var stages []query.Query
	for n := len(u.preferred); n >= 0; n-- {
		some := query.AtLeast(n, u.preferred)
		if u.exact != nil && !near {
			stages = append(stages, query.Simplify(query.And{Parts: []query.Query{u.exact, some}}))
		}
		stages = append(stages, query.Simplify(query.And{Parts: []query.Query{u.query, some}}))
		if near {
			return append(stages, u.query)
		}
	}
	return stages
}
