package pgindex

import (
	"slices"
	"strings"
	"sync"

	"kith/index"
	"kith/mappings"
	"kith/query"
)

// bucketed are the Number fields of sub-documents as documents have them: their terms
// are buckets.
//
//nolint:gochecknoglobals // a memoised pure function, not state
var bucketed = sync.OnceValue(func() map[query.Field]bool {
	fields := map[query.Field]bool{}
	for _, path := range query.Paths() {
		for _, number := range mappings.NestedNumbers() {
			fields[number.In(path)] = true
		}
	}
	return fields
})

// bucketsOf is the field whose buckets a part asks for.
func bucketsOf(q query.Query) (f query.Field, ok bool) {
	if t, one := q.(query.Term); one {
		f = t.Field
	}
	if t, several := q.(query.Terms); several {
		f = t.Field
	}
	return f, flattenedNumber(f)
}

// sieve is what documents say of a number of their sub-documents: that one has it, or
// that it is in one of some buckets.
type sieve struct {
	field   query.Field
	buckets []string
	any     bool
}

// sieveOf is the sieve that a part asks for; ok is false for other parts.
func sieveOf(q query.Query) (s sieve, ok bool) {
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
		case query.All, query.None, query.And, query.Or, query.Not, query.AllWords, query.Phrase, query.Range, query.Nested,
			query.IDs, query.Timeline:
			return s, false
		}
	}
	return s, s.field != ""
}

// isTold reports whether a part says no more than one of the parts beside it: it is the
// sieve of a range that is asked there, of the document or of a sub-document.
func isTold(q query.Query, parts []query.Query) bool {
	s, ok := sieveOf(q)
	return ok && slices.ContainsFunc(parts, func(p query.Query) bool { return s.isTold(p, query.Person) })
}

// isTold reports whether q, asked of sub-documents of a path, holds only of documents that
// the sieve lets through.
func (s sieve) isTold(q query.Query, path query.Path) bool {
	told := func(p query.Query) bool { return s.isTold(p, path) }
	switch q := q.(type) {
	case query.And:
		return slices.ContainsFunc(q.Parts, told)
	case query.Or:
		return len(q.Parts) > 0 && !slices.ContainsFunc(q.Parts, func(p query.Query) bool { return !told(p) })
	case query.Nested:
		return s.isTold(q.Part, q.Path)
	case query.Range:
		return q.Field.In(path) == s.field && (s.any || s.holds(q))
	case query.All, query.None, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase, query.Exists, query.IDs,
		query.Timeline:
	}
	return false
}

// holds reports whether the buckets are all that a range touches.
func (s sieve) holds(r query.Range) bool {
	number := string(s.field)[strings.IndexByte(string(s.field), '.')+1:]
	touched, ok := index.Buckets(query.Field(number), r)
	return ok && !slices.ContainsFunc(touched, func(b string) bool { return !slices.Contains(s.buckets, b) })
}

// coarser makes of alternatives what the index is asked for; same is false where that
// holds of more documents.
func coarser(parts []query.Query) (out []query.Query, same bool) {
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

// withoutBuckets drops large sets of buckets from an alternative that asks for
// terms, too. Most documents are in one of so many, and an index that has to look for
// each of them in each alternative takes so long that Postgres would rather test all rows.
func withoutBuckets(parts []query.Query) []query.Query {
	if !slices.ContainsFunc(parts, narrows) {
		return parts
	}
	return slices.DeleteFunc(slices.Clone(parts), func(p query.Query) bool {
		set, _ := p.(query.Terms)
		return len(set.Values) > large && bucketed()[set.Field]
	})
}

// withoutFiner drops what is finer than buckets beside it. To test that on each row that
// the buckets give takes longer than what it spares.
func withoutFiner(parts []query.Query) []query.Query {
	return slices.DeleteFunc(slices.Clone(parts), func(p query.Query) bool { return isFiner(p, parts) })
}

// isFiner reports whether a part says the same as buckets beside it, only finer: of jobs
// that have ended, or of present ones, by the number itself for those with one job and by
// each job for the others.
func isFiner(q query.Query, parts []query.Query) bool {
	n, nested := q.(query.Nested)
	finer := isSeveral(q) || nested && n.Path != query.Current
	return finer && slices.ContainsFunc(parts, func(p query.Query) bool { return isTold(p, []query.Query{q}) })
}

// narrows reports whether a part asks for terms that not about everyone has.
func narrows(q query.Query) bool {
	t, _ := q.(query.Term)
	_, ok := required(q)
	return ok && t.Field != query.JobCount
}
