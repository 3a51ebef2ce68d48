package pgindex

import (
	"slices"

	"kith/query"
)

// maxIndexValues is the most values that one index condition may have next to alternatives. Postgres looks up the whole
// set again for each alternative. If that seems too expensive, it fetches the rows of the set and tests every
// alternative on each: hundreds took seconds on 10,000 rows.
const maxIndexValues = 1000

// hasTooManyValues reports whether a part is better tested row by row, because it has too many values next to another,
// more selective part.
func (s statistics) hasTooManyValues(q query.Query, parts []asked) bool {
	tooMany := testTooMany(q)
	s.rareWords = true
	return slices.ContainsFunc(parts, func(other asked) bool {
		if !tooMany(other.part) {
			return false
		}
		mine, its := s.estimate(q), s.estimate(other.part)
		return its < mine || its == mine && values(q) > 0
	})
}

// isTooManyAfter reports whether a further part has too many values next to one already given to an index.
func (sp split) isTooManyAfter(q query.Query) bool {
	return slices.ContainsFunc(sp.indexed, testTooMany(q))
}

// testTooMany returns a test for parts that have too many values next to q.
func testTooMany(q query.Query) func(query.Query) bool {
	return func(other query.Query) bool {
		return scans(q)*values(other) > maxIndexValues || values(q)*scans(other) > maxIndexValues
	}
}

// hasLong reports whether an index condition has a long set.
func (sp split) hasLong() bool { return slices.ContainsFunc(sp.indexed, isLong) }

// isLong reports whether an index condition has a set too long to combine with others. Postgres would use the other
// index, and search each of its rows for each of the values.
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

// scans is the number of index scans that alternatives need.
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

// values is the number of values in a set.
func values(q query.Query) int {
	set, _ := q.(query.Terms)
	return len(set.Values)
}
