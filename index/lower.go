package index

import (
	"reflect"

	"kith/query"
)

// OneJob is the value of query.JobCount for a person with exactly one current
// job.
const OneJob = "1"

// Lower rewrites a query over documents into one over their flat form (see
// [Flat]): each Nested becomes conditions on flattened fields, which discard
// most documents cheaply, and, only where several conditions must hold of the
// same sub-document, the Nested itself.
func Lower(q query.Query) query.Query {
	switch q := q.(type) {
	case query.And:
		return query.And{Parts: lowerAll(q.Parts)}
	case query.Or:
		return query.Or{Parts: lowerAll(q.Parts)}
	case query.Not:
		return query.Not{Part: Lower(q.Part)}
	case query.Nested:
		return lowerNested(q)
	case query.All, query.None, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range, query.Exists, query.IDs:
		return q
	}
	return q
}

func lowerAll(parts []query.Query) []query.Query {
	out := make([]query.Query, len(parts))
	for i, p := range parts {
		out[i] = Lower(p)
	}
	return out
}

// lowerNested asks of each part apart where parts are alternatives: some
// sub-document holds A or B exactly when some holds A or some holds B. Ranges stay
// together, as each would have the sub-documents looked at again.
func lowerNested(n query.Nested) query.Query {
	or, isOr := n.Part.(query.Or)
	if !isOr {
		return lowerWhole(n)
	}
	var parts, ranges []query.Query
	for _, p := range or.Parts {
		if _, isRange := p.(query.Range); isRange {
			ranges = append(ranges, p)
		} else {
			parts = append(parts, lowerNested(query.Nested{Path: n.Path, Part: p}))
		}
	}
	if len(ranges) > 0 {
		parts = append(parts, lowerWhole(query.Nested{Path: n.Path, Part: query.Or{Parts: ranges}}))
	}
	return query.Or{Parts: parts}
}

func lowerWhole(n query.Nested) query.Query {
	sieve, exact := flatten(n.Path, n.Part)
	if exact {
		return sieve
	}
	same := query.Query(n)
	if n.Path == query.Current {
		// With one current job the flat fields are that job.
		var one query.Query = query.Term{Field: query.JobCount, Value: OneJob}
		if flat := flatCopy(n.Path, n.Part); !reflect.DeepEqual(flat, sieve) {
			one = query.And{Parts: []query.Query{one, flat}}
		}
		same = query.Or{Parts: []query.Query{one, n}}
	}
	return query.And{Parts: []query.Query{sieve, same}}
}

// flatten weakens a condition on one sub-document into one on the flattened
// fields that holds at least wherever the nested one does; exact is true where
// the two mean the same. A field that is not flattened says nothing there.
func flatten(path query.Path, q query.Query) (weaker query.Query, exact bool) {
	if f, one := query.FieldOf(q); one && !query.Flattened(path, f) {
		return query.All{}, false
	}
	switch q := q.(type) {
	case query.And:
		return flattenAnd(path, q)
	case query.Or:
		return flattenOr(path, q)
	case query.Term:
		return query.Term{Field: q.Field.In(path), Value: q.Value}, true
	case query.Terms:
		return query.Terms{Field: q.Field.In(path), Values: q.Values}, true
	case query.Phrase:
		return query.Phrase{Field: q.Field.In(path), Words: q.Words, AnyOrder: q.AnyOrder}, true
	case query.AllWords:
		return query.AllWords{Field: q.Field.In(path), Words: q.Words}, len(q.Words) == 1
	case query.Exists:
		return query.Exists{Field: q.Field.In(path)}, true
	case query.Range:
		if buckets, ok := Buckets(q.Field, q); ok {
			return query.Terms{Field: q.Field.In(path), Values: buckets}, false
		}
		return query.Exists{Field: q.Field.In(path)}, false
	case query.None:
		return q, true
	case query.All, query.Not, query.Nested, query.IDs:
		return query.All{}, false
	}
	return query.All{}, false
}

func flattenAnd(path query.Path, q query.And) (query.Query, bool) {
	parts := make([]query.Query, len(q.Parts))
	exact := len(q.Parts) == 1
	for i, p := range q.Parts {
		var partExact bool
		parts[i], partExact = flatten(path, p)
		exact = exact && partExact
	}
	return query.And{Parts: parts}, exact
}

func flattenOr(path query.Path, q query.Or) (query.Query, bool) {
	parts := make([]query.Query, len(q.Parts))
	exact := true
	for i, p := range q.Parts {
		var partExact bool
		parts[i], partExact = flatten(path, p)
		exact = exact && partExact
	}
	return query.Or{Parts: parts}, exact
}

// flatCopy renames the fields of a condition to their flattened names. It
// means the same as the nested condition only for a document with one
// sub-document of the path.
func flatCopy(path query.Path, q query.Query) query.Query {
	switch q := q.(type) {
	case query.And:
		return query.And{Parts: flatCopies(path, q.Parts)}
	case query.Or:
		return query.Or{Parts: flatCopies(path, q.Parts)}
	case query.Not:
		return query.Not{Part: flatCopy(path, q.Part)}
	case query.Term:
		return query.Term{Field: q.Field.In(path), Value: q.Value}
	case query.Terms:
		return query.Terms{Field: q.Field.In(path), Values: q.Values}
	case query.AllWords:
		return query.AllWords{Field: q.Field.In(path), Words: q.Words}
	case query.Phrase:
		return query.Phrase{Field: q.Field.In(path), Words: q.Words, AnyOrder: q.AnyOrder}
	case query.Range:
		return query.Range{Field: q.Field.In(path), Min: q.Min, Max: q.Max}
	case query.Exists:
		return query.Exists{Field: q.Field.In(path)}
	case query.All, query.None, query.IDs, query.Nested:
		return q
	}
	return q
}

func flatCopies(path query.Path, parts []query.Query) []query.Query {
	out := make([]query.Query, len(parts))
	for i, p := range parts {
		out[i] = flatCopy(path, p)
	}
	return out
}
