package indexed

import (
	"slices"

	"kith/query"
)

// Match reports whether a document satisfies a query that index.Lower has not lowered. It reads sub-documents only
// through query.Nested: flattened field names match nothing.
func Match(doc Document, q query.Query) bool {
	return subject{id: doc.ID, rank: doc.Rank, fields: doc.Fields, nested: doc.Nested, career: doc.Career}.satisfies(q)
}

// ByJobs returns the jobs by which a document satisfies a timeline, as [Career.Holds] does.
func ByJobs(doc Document, t query.Timeline) (by []JobPosition, holds bool) {
	return subject{id: doc.ID, rank: doc.Rank, nested: doc.Nested, career: doc.Career}.byJobs(t)
}

// subject is the document or sub-document that a query is evaluated on.
type subject struct {
	id, rank int64
	fields   Fields
	nested   map[query.Path][]Fields
	career   Career
}

func (s subject) satisfies(q query.Query) bool {
	switch q := q.(type) {
	case query.All:
		return true
	case query.None:
		return false
	case query.And:
		return !slices.ContainsFunc(q.Parts, func(p query.Query) bool { return !s.satisfies(p) })
	case query.Or:
		return slices.ContainsFunc(q.Parts, s.satisfies)
	case query.Not:
		return !s.satisfies(q.Part)
	case query.Term:
		return s.has(q.Field, q.Value)
	case query.Terms:
		return slices.ContainsFunc(q.Values, func(v string) bool { return s.has(q.Field, v) })
	case query.AllWords:
		return !slices.ContainsFunc(q.Words, func(w string) bool { return !s.has(q.Field, w) })
	case query.Phrase:
		return s.hasPhrase(q)
	case query.Range:
		return s.isInRange(q)
	case query.Exists:
		return s.exists(q.Field)
	case query.Nested:
		return slices.ContainsFunc(s.nested[q.Path], func(sub Fields) bool {
			return subject{id: s.id, rank: s.rank, fields: sub}.satisfies(q.Part)
		})
	case query.IDs:
		return slices.Contains(q.Values, s.id)
	case query.Timeline:
		_, holds := s.byJobs(q)
		return holds
	}
	return false
}

func (s subject) hasPhrase(q query.Phrase) bool {
	has := contains
	if q.AnyOrder {
		has = containsAll
	}
	return slices.ContainsFunc(s.fields.Words[q.Field], func(seq []string) bool { return has(seq, q.Words) })
}

func (s subject) isInRange(q query.Range) bool {
	v, ok := s.number(q.Field)
	return ok && (q.Min == nil || *q.Min <= v) && (q.Max == nil || v <= *q.Max)
}

func (s subject) byJobs(t query.Timeline) (by []JobPosition, holds bool) {
	return s.career.Holds(t, func(job JobPosition, q query.Query) bool {
		return subject{id: s.id, rank: s.rank, fields: s.nested[job.Path][job.Index]}.satisfies(q)
	})
}

// has reports whether a field has a whole value or a token.
func (s subject) has(f query.Field, v string) bool {
	return slices.Contains(s.fields.Keywords[f], v) ||
		slices.ContainsFunc(s.fields.Words[f], func(seq []string) bool { return slices.Contains(seq, v) })
}

func (s subject) exists(f query.Field) bool {
	_, number := s.number(f)
	return number || len(s.fields.Keywords[f]) > 0 ||
		slices.ContainsFunc(s.fields.Words[f], func(seq []string) bool { return len(seq) > 0 })
}

func (s subject) number(f query.Field) (int64, bool) {
	if f == query.Rank {
		return s.rank, true
	}
	v, ok := s.fields.Numbers[f]
	return v, ok
}

// contains reports whether seq has part as an unbroken run.
func contains(seq, part []string) bool {
	for i := 0; i+len(part) <= len(seq); i++ {
		if len(part) > 0 && slices.Equal(seq[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// containsAll reports whether seq has all words; false if there are none.
func containsAll(seq, words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(seq, w) })
}
