package pgindex

import (
	"math"

	"kith/query"
	"kith/query/indexed"
)

// Assumptions for values without statistics.
const (
	// unknownTerm is the share of an unknown term, relative to the least frequent known one.
	unknownTerm = 0.05
	// unknownCondition is the assumed share of documents that satisfy an unknown condition.
	unknownCondition = 0.5
)

// estimate estimates the share of documents that satisfy q. It assumes that conditions are independent, so it may be
// far off.
func (s statistics) estimate(q query.Query) float64 {
	switch q := q.(type) {
	case query.All:
		return 1
	case query.None:
		return 0
	case query.Term:
		return s.term(q.Field, q.Value)
	case query.AllWords:
		return s.all(q)
	case query.Phrase:
		return s.estimate(q.Somewhere()) * unknownCondition
	case query.Terms:
		return s.any(q)
	case query.And:
		return s.estimateAnd(q)
	case query.Or:
		return s.estimateOr(q)
	case query.Not:
		return 1 - s.estimate(q.Part)
	case query.Range:
		return s.estimateRange(q)
	case query.Nested:
		if q.Path == query.Current {
			// People with one current job have it in the document itself.
			return s.term(query.JobCount, indexed.ManyJobs) * s.ofOneJob(q.Part)
		}
		return unknownCondition
	case query.IDs:
		return min(1, float64(len(q.Values))/max(1, s.rows))
	case query.Exists, query.Timeline:
		return unknownCondition
	}
	return unknownCondition
}

// estimateOr is the share of documents that satisfy at least one part.
func (s statistics) estimateOr(q query.Or) float64 {
	none := 1.0
	for _, p := range q.Parts {
		none *= 1 - s.estimate(p)
	}
	return 1 - none
}

// all is the share of documents that have every word.
func (s statistics) all(q query.AllWords) float64 {
	share := 1.0
	for _, word := range q.Words {
		share *= s.term(q.Field, word)
	}
	return share
}

// any is the share of documents that have at least one value.
func (s statistics) any(q query.Terms) float64 {
	sum := 0.0
	for _, v := range q.Values {
		sum += s.term(q.Field, v)
	}
	return min(1, sum, float64(upperBound(q))/max(1, s.rows))
}

// estimateAnd is the likely share of a conjunction. It ignores buckets next to their range, and alternatives implied by
// a required term.
func (s statistics) estimateAnd(and query.And) float64 {
	ranged := map[query.Field]bool{}
	noteRanges(and, ranged)
	given := neededTerms(and.Parts)
	share := 1.0
	for _, p := range and.Parts {
		if or, ok := p.(query.Or); ok {
			p = assumeTerms(or, given)
		}
		if t, ok := p.(query.Terms); !ok || !ranged[t.Field] {
			share *= s.estimate(p)
		}
	}
	return share
}

// assumeTerms simplifies q for a document that has the given terms.
func assumeTerms(q query.Query, given map[string]bool) query.Query {
	switch q := q.(type) {
	case query.Term:
		if given[query.SQLTerm(q.Field, q.Value)] {
			return query.All{}
		}
	case query.And, query.Or:
		return query.MapParts(q, func(p query.Query) query.Query { return assumeTerms(p, given) })
	case query.All, query.None, query.Not, query.Terms, query.AllWords, query.Phrase, query.Range, query.Exists,
		query.Nested, query.IDs, query.Timeline:
	}
	return q
}

// noteRanges records the fields of q that have ranges.
func noteRanges(q query.Query, ranged map[query.Field]bool) {
	switch q := q.(type) {
	case query.Range:
		ranged[q.Field] = true
	case query.And, query.Or:
		query.MapParts(q, func(p query.Query) query.Query {
			noteRanges(p, ranged)
			return p
		})
	case query.All, query.None, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase, query.Exists,
		query.Nested, query.IDs, query.Timeline:
	}
}

// ofOneJob estimates the share of current jobs that satisfy q, for conditions on numbers. It uses the people with one
// job.
func (s statistics) ofOneJob(q query.Query) float64 {
	switch q := q.(type) {
	case query.Range:
		return s.estimateRange(query.Range{Field: q.Field.In(query.Current), Min: q.Min, Max: q.Max})
	case query.And:
		share := 1.0
		for _, p := range q.Parts {
			share *= s.ofOneJob(p)
		}
		return share
	case query.All, query.None, query.Or, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase,
		query.Exists, query.Nested, query.IDs, query.Timeline:
	}
	return unknownCondition
}

// term is the share of documents that have a term.
func (s statistics) term(f query.Field, value string) float64 {
	if isUnique(f) {
		return 1 / max(1, s.rows)
	}
	if share, ok := s.share[hashTerm(query.SQLTerm(f, value))]; ok {
		return share
	}
	if words, ok := titleWords(f, value); ok {
		return min(s.rest, s.estimate(words)*unknownCondition)
	}
	if flattenedNumber(f) && (!s.rareWords || bucketed()[f]) {
		return s.rest // numbers have few buckets, none of them rare
	}
	return s.rest * unknownTerm
}

// isUnique reports whether values of a field are practically unique.
func isUnique(f query.Field) bool {
	return f == query.SocialURL || f == query.SocialID || f == query.Email
}

func (s statistics) estimateRange(q query.Range) float64 {
	column := s.source.column(q.Field)
	if column == "" {
		return 0
	}
	d, ok := s.numbers[column[len(s.source.alias)+1:]]
	if !ok {
		return unknownCondition
	}
	return d.between(q.Min, q.Max)
}

// longSet is the number of values from which a set of terms is treated as a list of people, one for each value.
const longSet = 1000

// upperBound returns an upper bound of the documents that satisfy q, if its form implies one; otherwise math.MaxInt.
func upperBound(q query.Query) int {
	switch q := q.(type) {
	case query.IDs:
		return len(q.Values)
	case query.Term:
		if isUnique(q.Field) {
			return 1
		}
	case query.Terms:
		if len(q.Values) >= longSet || isUnique(q.Field) {
			return len(q.Values)
		}
	case query.None:
		return 0
	case query.And:
		least := math.MaxInt
		for _, p := range q.Parts {
			least = min(least, upperBound(p))
		}
		return least
	case query.Or:
		sum := 0
		for _, p := range q.Parts {
			b := upperBound(p)
			if b == math.MaxInt {
				return b
			}
			sum += b
		}
		return sum
	case query.All, query.Not, query.AllWords, query.Phrase, query.Range, query.Exists, query.Nested, query.Timeline:
	}
	return math.MaxInt
}
