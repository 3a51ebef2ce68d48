package search

import (
	"slices"
	"time"

	"kith"
	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
)

// understood is the meaning of a search.
type understood struct {
	query query.Query
	// exact matches the literal matches of query and implies it. It is nil if query makes no such difference, or if a
	// judgement orders the people: then the best come first, however they match.
	exact query.Query
	// sortBy is the field of the judgement that orders the people; empty for rank.
	sortBy query.Field
	// preferred conditions are optional: people who satisfy more of them come first.
	preferred []query.Query
	// nearest are the first stages of a search for similar people.
	nearest []query.Query
	parts   []part
}

// meaning combines a plan, with the people of its steps, and the filters given in the request; all must hold. A prompt
// cannot be wrong, so a problem with a plan's filter is a defect of the planner.
func meaning(plan prompt.Plan, to related, given analysis.Compiled, now time.Time) (understood, error) {
	if plan.Nothing {
		return understood{query: query.None{}}, nil
	}
	planned, problems := analysis.Compile(plan.Values(), now)
	if len(problems) > 0 {
		return understood{}, planInvalid("the filters of the plan", problems)
	}
	return combine([]analysis.Compiled{planned, given}, plan, to, now), nil
}

// combine combines sets of filters with the other conditions of a plan.
func combine(sets []analysis.Compiled, plan prompt.Plan, to related, now time.Time) understood {
	var u understood
	conditions := kith.Each(plan.Conditions, func(c prompt.Condition) query.Query { return c.Query.Query })
	asked := analysis.Join(sets, conditions...)
	u.parts = conditionParts(asked)
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

// further adds the parts of a plan that are neither filters nor conditions, and returns their queries.
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
		u.parts = append(u.parts, holding(b.says, b.query, b.evidence))
	}
	for _, c := range plan.Criteria {
		u.parts = append(u.parts, criterionPart(c, now))
	}
	if len(plan.Criteria) > 0 {
		u.sortBy = plan.Criteria[0].Field
	}
	return further
}

// allExcluded reports whether a filter has excluded alternatives only.
func allExcluded(value string) bool {
	alternatives, err := query.ParseFilter(value)
	return err == nil && !slices.ContainsFunc(alternatives, func(a query.Alternative) bool { return !a.Excluded })
}
