package search

import (
	"slices"

	"kith/internal/search/relax"
	"kith/query"
	"kith/query/prompt"
)

// missingCareer and missingCondition are named instead of a filter if the career of a near miss took another course, or
// another condition does not hold.
const missingCareer, missingCondition query.FilterName = "career", "condition"

// looserConditions returns the variants of conditions, which are broad: people who had the jobs of a career in another
// order or for another time, then those who had only the last of several in turn, then those who satisfy the filters
// alone. Missing has all conditions that a variant gives up. There are no variants that would ask for nothing.
func (s *search) looserConditions() []relax.Variant {
	var out []relax.Variant
	demanding := demands(s.sets())
	for _, course := range []relax.Course{relax.Reordered, relax.EndOnly, relax.Nothing} {
		v := relax.Variant{Sets: s.sets(), Course: course, Broad: true}
		asks := demanding
		for _, c := range s.plan.Conditions {
			if t, ok := loosen(c.Query.Query, course); ok {
				v.Missing = append(v.Missing, relax.Missing{Field: fieldOf(c), Value: c.Says})
				asks = asks || namesJobs(t)
			}
		}
		if len(v.Missing) > 0 && asks {
			out = append(out, v)
		}
	}
	return out
}

func fieldOf(c prompt.Condition) query.FilterName {
	if query.HasTimeline(c.Query.Query) {
		return missingCareer
	}
	return missingCondition
}

// conditionsOf returns the conditions of a variant. What is excluded stays excluded.
func (s *search) conditionsOf(v relax.Variant) []prompt.Condition {
	out := slices.Clone(s.plan.Conditions)
	for i, c := range out {
		if t, ok := loosen(c.Query.Query, v.Course); ok {
			out[i].Query.Query = t.Prefilter()
		}
	}
	return out
}

// loosen returns what a course leaves of a condition, as one on a career; false if the condition stays.
func loosen(q query.Query, course relax.Course) (query.Timeline, bool) {
	t, ok := q.(query.Timeline)
	n := len(t.Steps)
	switch {
	case course == relax.Nothing:
		_, excludes := q.(query.Not)
		return query.Timeline{}, !excludes
	case !ok || course == relax.AsAsked:
		return t, false
	case course == relax.EndOnly && (n < 2 || t.AtLeast > 0 || t.Steps[n-1].Order > query.Next):
		return t, false
	case course == relax.EndOnly:
		t.Steps = t.Steps[n-1:]
	}
	steps := make([]query.Step, len(t.Steps))
	for i, step := range t.Steps {
		steps[i].Spell = query.Spell{Where: step.Where, Status: step.Status}
		steps[i].Order = query.Anytime
	}
	t.Steps = steps
	return t, true
}

// namesJobs reports whether a condition on a career says which jobs.
func namesJobs(t query.Timeline) bool {
	return slices.ContainsFunc(t.Steps, func(s query.Step) bool { return s.Where != nil }) ||
		t.Every != nil && t.Every.Where != nil ||
		slices.ContainsFunc(t.Counts, func(c query.SpellCount) bool { return c.Where != nil })
}
