package pgindex

import (
	"slices"

	"kith/query"
)

// crowd is how many values the index may be asked for by a set beside
// alternatives. Postgres asks for all of the set with each alternative again,
// and where that seems too much to it, it takes the rows of the set and tests
// every alternative on each of them: hundreds took seconds on 10,000 rows.
const crowd = 1000

// isCrowded reports whether a part is better left for the rows, because it and
// another are a crowd and the other lets less through.
func (s statistics) isCrowded(q query.Query, parts []asked) bool {
	beside := besideMany(q)
	s.rareWords = true
	return slices.ContainsFunc(parts, func(other asked) bool {
		if !beside(other.part) {
			return false
		}
		mine, its := s.likely(q), s.likely(other.part)
		return its < mine || its == mine && values(q) > 0
	})
}

// crowds reports whether a further part and one that an index is asked for already are
// a crowd.
func (sp split) crowds(q query.Query) bool { return slices.ContainsFunc(sp.indexed, besideMany(q)) }

// besideMany reports of another part whether it and q are a crowd.
func besideMany(q query.Query) func(query.Query) bool {
	return func(other query.Query) bool {
		return scans(q)*values(other) > crowd || values(q)*scans(other) > crowd
	}
}

// hasLong reports whether an index is asked for a long set.
func (sp split) hasLong() bool { return slices.ContainsFunc(sp.indexed, isLong) }

// isLong reports whether an index is asked for a long set beside which nothing else may
// be asked: Postgres would take the rows that the other index gives, and look for each
// of the values among the terms of each row.
func isLong(q query.Query) bool {
	switch q := q.(type) {
	case query.Terms:
		return len(q.Values) > large && !bucketed()[q.Field]
	case query.Or:
		return slices.ContainsFunc(q.Parts, isLong)
	case query.And:
		return slices.ContainsFunc(q.Parts, isLong)
	case query.All, query.None, query.Not, query.Term, query.AllWords, query.Phrase, query.Range, query.Exists,
		query.Nested, query.IDs, query.Timeline:
	}
	return false
}

// scans is how many scans of indexes alternatives take.
func scans(q query.Query) int {
	or, ok := q.(query.Or)
	if !ok {
		return 0
	}
	n := 0
	for _, p := range or.Parts {
		n += max(1, scans(p))
	}
	return n
}

// values is the number of values of a set.
func values(q query.Query) int {
	set, _ := q.(query.Terms)
	return len(set.Values)
}
