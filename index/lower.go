package index

import (
	"reflect"

	"kith/query"
	"kith/query/indexed"
)

// Lower rewrites a query over documents into one over their flat form (see [indexed.Flat]). Each Nested becomes
// conditions on flattened fields, which discard most documents cheaply. The Nested itself stays only where several
// conditions must hold of the same sub-document.
func Lower(q query.Query) query.Query {
	if n, ok := q.(query.Nested); ok {
		return lowerNested(n)
	}
	return query.MapParts(q, Lower)
}

// lowerNested asks for each alternative separately: some sub-document holds A or B exactly if some holds A or some
// holds B. Ranges stay together, because each one alone would scan the sub-documents again.
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
	prefilter, exact := flatten(n.Path, n.Part)
	if exact {
		return prefilter
	}
	same := query.Query(n)
	if n.Path == query.Current {
		// With one current job, the flat fields describe exactly that job.
		var one query.Query = query.Term{Field: query.JobCount, Value: indexed.OneJob}
		if flat := flatCopy(n.Path, n.Part); !reflect.DeepEqual(flat, prefilter) {
			one = query.And{Parts: []query.Query{one, flat}}
		}
		same = query.Or{Parts: []query.Query{one, n}}
	}
	return query.And{Parts: []query.Query{prefilter, same}}
}

// flatten weakens a condition on one sub-document into one on flattened fields that holds at least wherever the
// nested one does; exact is true if both are equivalent. A field that is not flattened becomes All.
func flatten(path query.Path, q query.Query) (weaker query.Query, exact bool) {
	if f, one := query.FieldOf(q); one && !query.Flattened(path, f) {
		return query.All{}, false
	}
	switch q := q.(type) {
	case query.And:
		parts, exact := flattenAll(path, q.Parts)
		return query.And{Parts: parts}, exact && len(parts) == 1
	case query.Or:
		parts, exact := flattenAll(path, q.Parts)
		return query.Or{Parts: parts}, exact
	case query.Term, query.Terms, query.Phrase, query.Exists:
		return flatCopy(path, q), true
	case query.AllWords:
		return flatCopy(path, q), len(q.Words) == 1
	case query.Range:
		if buckets, ok := indexed.Buckets(q.Field, q); ok {
			return query.Terms{Field: q.Field.In(path), Values: buckets}, false
		}
		return query.Exists{Field: q.Field.In(path)}, false
	case query.None:
		return q, true
	case query.All, query.Not, query.Nested, query.IDs, query.Timeline:
		return query.All{}, false
	}
	return query.All{}, false
}

// flattenAll flattens each part; exact is true if all are exact.
func flattenAll(path query.Path, parts []query.Query) (flat []query.Query, exact bool) {
	flat, exact = make([]query.Query, len(parts)), true
	for i, p := range parts {
		var partExact bool
		flat[i], partExact = flatten(path, p)
		exact = exact && partExact
	}
	return flat, exact
}

// flatCopy renames the fields of a condition to their flattened names. The copy is equivalent only for a document
// with exactly one sub-document of the path.
func flatCopy(path query.Path, q query.Query) query.Query {
	if f, ok := query.FieldOf(q); ok {
		return query.WithField(q, f.In(path))
	}
	return query.MapParts(q, func(p query.Query) query.Query { return flatCopy(path, p) })
}
