package pgindex

import (
	"slices"
	"strings"
	"sync"

	"kith/mappings"
	"kith/query"
	"kith/query/indexed"
)

// bucketed holds the Number fields of sub-documents under their flattened names: their terms are buckets.
var bucketed = sync.OnceValue(func() map[query.Field]bool {
	fields := map[query.Field]bool{}
	for _, path := range query.Paths() {
		for _, number := range mappings.NestedNumbers() {
			fields[number.In(path)] = true
		}
	}
	return fields
})

// bucketField returns the field of a condition on buckets.
func bucketField(q query.Query) (f query.Field, ok bool) {
	if t, one := q.(query.Term); one {
		f = t.Field
	}
	if t, several := q.(query.Terms); several {
		f = t.Field
	}
	return f, flattenedNumber(f)
}

// prefilter is a condition on the flattened terms of a number in sub-documents: the number exists, or it is
// in one of some buckets.
type prefilter struct {
	field   query.Field
	buckets []string
	any     bool
}

// asPrefilter returns the prefilter that a part consists of; ok is false for other parts.
func asPrefilter(q query.Query) (s prefilter, ok bool) {
	parts := []query.Query{q}
	if or, several := q.(query.Or); several {
		parts = or.Parts
	}
	for _, p := range parts {
		f, _ := query.FieldOf(p)
		if !bucketed()[f] || s.field != "" && f != s.field {
			return s, false
		}
		s.field = f
		switch p := p.(type) {
		case query.Term:
			s.buckets = append(s.buckets, p.Value)
		case query.Terms:
			s.buckets = append(s.buckets, p.Values...)
		case query.Exists:
			s.any = true
		case query.All, query.None, query.And, query.Or, query.Not, query.AllWords, query.Phrase, query.Range,
			query.Nested, query.IDs, query.Timeline:
			return s, false
		}
	}
	return s, s.field != ""
}

// isRedundant reports whether a part is redundant: it is the prefilter of a range among the other parts, on the
// document or on a sub-document.
func isRedundant(q query.Query, parts []query.Query) bool {
	s, ok := asPrefilter(q)
	return ok && slices.ContainsFunc(parts, func(p query.Query) bool { return s.isRedundant(p, query.Person) })
}

// isRedundant reports whether q, on sub-documents of a path, implies the prefilter.
func (s prefilter) isRedundant(q query.Query, path query.Path) bool {
	implied := func(p query.Query) bool { return s.isRedundant(p, path) }
	switch q := q.(type) {
	case query.And:
		return slices.ContainsFunc(q.Parts, implied)
	case query.Or:
		return len(q.Parts) > 0 && !slices.ContainsFunc(q.Parts, func(p query.Query) bool { return !implied(p) })
	case query.Nested:
		return s.isRedundant(q.Part, q.Path)
	case query.Range:
		return q.Field.In(path) == s.field && (s.any || s.covers(q))
	case query.All, query.None, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase, query.Exists,
		query.IDs, query.Timeline:
	}
	return false
}

// covers reports whether the buckets cover the range.
func (s prefilter) covers(r query.Range) bool {
	number := string(s.field)[strings.IndexByte(string(s.field), '.')+1:]
	touched, ok := indexed.Buckets(query.Field(number), r)
	return ok && !slices.ContainsFunc(touched, func(b string) bool { return !slices.Contains(s.buckets, b) })
}

// coarsen replaces alternatives by coarser ones for the index; same is false if they match more documents.
func coarsen(parts []query.Query) (out []query.Query, same bool) {
	out, same = make([]query.Query, len(parts)), true
	for i, p := range parts {
		and, ok := p.(query.And)
		if !ok {
			out[i] = p
			continue
		}
		rest := withoutFiner(withoutBuckets(and.Parts))
		same = same && len(rest) == len(and.Parts)
		if out[i] = (query.And{Parts: rest}); len(rest) == 1 {
			out[i] = rest[0]
		}
	}
	return out, same
}

// withoutBuckets removes large sets of buckets from an alternative that also has terms. Most documents are in one of
// so many buckets. Looking up each one for each alternative takes so long that Postgres would rather scan all rows.
func withoutBuckets(parts []query.Query) []query.Query {
	if !slices.ContainsFunc(parts, narrows) {
		return parts
	}
	return slices.DeleteFunc(slices.Clone(parts), func(p query.Query) bool {
		set, _ := p.(query.Terms)
		return len(set.Values) > large && bucketed()[set.Field]
	})
}

// withoutFiner removes parts that refine buckets beside them: testing them on each row of the buckets takes longer
// than it saves.
func withoutFiner(parts []query.Query) []query.Query {
	return slices.DeleteFunc(slices.Clone(parts), func(p query.Query) bool { return isFiner(p, parts) })
}

// isFiner reports whether a part only refines buckets beside it. Such a part tests ended jobs in the
// sub-documents; for current jobs it tests the number itself for people with one job, and each job for the others.
func isFiner(q query.Query, parts []query.Query) bool {
	n, nested := q.(query.Nested)
	finer := isSeveral(q) || nested && n.Path != query.Current
	return finer && slices.ContainsFunc(parts, func(p query.Query) bool { return isRedundant(p, []query.Query{q}) })
}

// narrows reports whether a part requires terms that exclude many documents.
func narrows(q query.Query) bool {
	t, _ := q.(query.Term)
	_, ok := requiredTerms(q)
	return ok && t.Field != query.JobCount
}
