package analysis

import (
	"slices"

	"kith/query"
)

// Join combines sets of filters and conditions. Conditions of two sets on a job, or on an education entry, must hold
// of a single one, as within one set. A filter in two sets must hold twice. The parts are those of the sets in order.
//
// A condition on one current or ended job ("founders and CEOs", "came in May") applies to the same job as the
// filters. A condition on the order of jobs does not: an engineer promoted to manager is no longer an engineer.
func Join(sets []Compiled, conditions ...query.Query) Compiled {
	sets = slices.DeleteFunc(slices.Clone(sets),
		func(set Compiled) bool { return len(set.wanted)+len(set.excluded) == 0 })
	if len(sets) == 1 && len(conditions) == 0 {
		return sets[0] // most searches have one set, which is already joined
	}
	var c compiler
	for _, set := range sets {
		c.wanted = append(c.wanted, set.wanted...)
		c.excluded = append(c.excluded, set.excluded...)
		c.parts = append(c.parts, set.Parts...)
	}
	for _, q := range conditions {
		c.wanted = append(c.wanted, ofOneJob(q)...)
	}
	return c.compiled()
}

// ofOneJob turns q into conditions, on a current or an ended job where possible.
func ofOneJob(q query.Query) []condition {
	whole := condition{path: query.Person, close: q}
	for _, path := range []query.Path{query.Current, query.Past} {
		switch part, all := demandedOfJob(path, q); {
		case part == nil:
		case all:
			return []condition{{path: path, close: part}}
		default:
			return []condition{whole, {path: path, close: part}}
		}
	}
	return []condition{whole}
}

// demandedOfJob returns what q demands of a job of a path, if that job alone decides; otherwise nil. all is true if
// that is everything q demands.
func demandedOfJob(path query.Path, q query.Query) (part query.Query, all bool) {
	switch q := q.(type) {
	case query.Nested:
		if q.Path != path || succeeds(q.Part) {
			return nil, false
		}
		return q.Part, true
	case query.Or:
		parts, all := demandedByEach(path, q.Parts)
		if len(parts) == 0 || slices.ContainsFunc(parts, isNothing) {
			return nil, false
		}
		return query.Or{Parts: parts}, all
	case query.And:
		parts, _ := demandedByEach(path, q.Parts)
		if parts = slices.DeleteFunc(parts, isNothing); len(parts) != 1 { // several parts may hold of different jobs
			return nil, false
		}
		return parts[0], false
	case query.All, query.None, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range,
		query.Exists, query.IDs, query.Timeline:
	}
	return nil, false
}

func demandedByEach(path query.Path, queries []query.Query) (parts []query.Query, all bool) {
	all = true
	for _, q := range queries {
		part, whole := demandedOfJob(path, q)
		parts, all = append(parts, part), all && whole
	}
	return parts, all
}

// succeeds reports whether a condition on a job refers to the job before it.
func succeeds(q query.Query) bool {
	switch q := q.(type) {
	case query.And:
		return slices.ContainsFunc(q.Parts, succeeds)
	case query.Or:
		return slices.ContainsFunc(q.Parts, succeeds)
	case query.Not:
		return succeeds(q.Part)
	case query.Nested:
		return succeeds(q.Part)
	case query.All, query.None, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range, query.Exists,
		query.IDs, query.Timeline:
	}
	f, _ := query.FieldOf(q)
	switch f {
	case query.FromCompany, query.FromCompanyExact, query.FromIndustry, query.FromType, query.FromTitle,
		query.FromSeniority, query.FromFunction:
		return true
	}
	return false
}

func isNothing(q query.Query) bool { return q == nil }
