package search

import (
	"slices"

	"kith/internal/search/relax"
	"kith/query"
	"kith/query/prompt"
)

// missingCareer is named instead of a filter if the career of a near miss took another course.
const missingCareer query.FilterName = "career"

// otherCareers returns the variants of conditions on careers: people who had the jobs in another order or for another
// time, then those who had only the last of them. They are broad. There are none if the search would then ask for
// nothing.
func (s *search) otherCareers() []relax.Variant {
	var missing []relax.Missing
	asks := len(s.plan.Values())+len(s.walk.Filters) > 0
	for _, c := range s.plan.Conditions {
		if t, ok := c.Query.(query.Timeline); ok {
			missing = append(missing, relax.Missing{Field: missingCareer, Value: c.Says})
			asks = asks || len(t.Steps) > 0 && t.Steps[len(t.Steps)-1].Where != nil
		}
	}
	if len(missing) == 0 || !asks {
		return nil
	}
	reordered := relax.Variant{Sets: s.sets(), Missing: missing, Course: relax.Reordered, Broad: true}
	ended := reordered
	ended.Course = relax.EndOnly
	return []relax.Variant{reordered, ended}
}

// conditionsOf returns the conditions of a variant. Excluded careers stay excluded.
func (s *search) conditionsOf(v relax.Variant) []prompt.Condition {
	out := slices.Clone(s.plan.Conditions)
	for i, c := range out {
		if t, ok := c.Query.(query.Timeline); ok && v.Course != relax.AsAsked {
			out[i].Query = loosen(t, v.Course)
		}
	}
	return out
}

// loosen returns the weaker condition that a course of jobs leaves.
func loosen(t query.Timeline, course relax.Course) query.Query {
	if n := len(t.Steps); course == relax.EndOnly && n > 0 {
		last := t.Steps[n-1]
		t = query.Timeline{Of: t.Of, Steps: []query.Step{{Spell: query.Spell{Where: last.Where, Status: last.Status}}}}
	}
	return t.Prefilter()
}
