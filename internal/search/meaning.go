package search

import (
	"slices"
	"time"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
)

// understood is what a search asks for.
type understood struct {
	query query.Query
	// exact holds of those who satisfy query to the letter, and implies it; nil
	// where query knows no such difference, or where people come by a judgement:
	// then the best come first, however they match.
	exact query.Query
	// sortBy is the field of the judgement that people come by; empty for rank.
	sortBy query.Field
	// preferred need not hold: people come first of whom more do.
	preferred []query.Query
	// nearest are the first stages where people are looked for who are like others.
	nearest []query.Query
	parts   []part
}

// filters says what filters mean and checks it.
func (c *checker) filters(filters query.Filters, now time.Time) analysis.Compiled {
	compiled, problems := analysis.Compile(filters, now)
	c.fields = append(c.fields, problems...)
	return compiled
}

// meaning makes conditions of a plan, with the people of its steps, and of the
// filters that were given beside it; all must hold. A prompt cannot be wrong, so
// a problem with a plan's filter is a defect of the planner.
func meaning(plan prompt.Plan, to related, given analysis.Compiled, now time.Time) (understood, error) {
	if plan.Nothing {
		return understood{query: query.None{}}, nil
	}
	planned, problems := analysis.Compile(plan.Values(), now)
	if len(problems) > 0 {
		return understood{}, planInvalid("the filters of the plan", problems)
	}
	return mean([]analysis.Compiled{planned, given}, plan, to, now), nil
}

// mean makes conditions of sets of filters, and of what a plan says beside filters.
func mean(sets []analysis.Compiled, plan prompt.Plan, to related, now time.Time) understood {
	var u understood
	asked := analysis.Join(sets, conditions(plan)...)
	u.parts = partsOf(asked)
	for _, c := range plan.Conditions {
		u.parts = append(u.parts, conditionPart(c, asked))
	}
	further := u.further(plan, to, now)
	u.prefer(plan, now)
	u.query = query.Simplify(query.And{Parts: append([]query.Query{asked.Query}, further...)})
	if asked.Exact != nil && u.sortBy == "" {
		u.exact = query.Simplify(query.And{Parts: append([]query.Query{asked.Exact}, further...)})
	}
	return u
}

func conditions(plan prompt.Plan) []query.Query {
	out := make([]query.Query, len(plan.Conditions))
	for i, c := range plan.Conditions {
		out[i] = c.Query
	}
	return out
}

// further adds what a plan says beside filters, and returns what it asks beside
// filters and conditions.
func (u *understood) further(plan prompt.Plan, to related, now time.Time) []query.Query {
	var further []query.Query
	if to.nobody {
		further = append(further, query.None{})
	}
	for _, b := range to.bounds {
		further = append(further, b.query)
		if !b.Excluded && len(u.nearest) == 0 {
			u.nearest = b.nearest
		}
		u.parts = append(u.parts, relationPart(b))
	}
	for _, c := range plan.Criteria {
		u.parts = append(u.parts, criterionPart(c, now))
	}
	if len(plan.Criteria) > 0 {
		u.sortBy = plan.Criteria[0].Field
	}
	return further
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
