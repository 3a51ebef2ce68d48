package query

// MapParts is q with what f makes of each of its direct parts in their places. A node
// without parts is returned as it is.
func MapParts(q Query, f func(Query) Query) Query {
	switch q := q.(type) {
	case And:
		return And{Parts: mapAll(q.Parts, f)}
	case Or:
		return Or{Parts: mapAll(q.Parts, f)}
	case Not:
		return Not{Part: f(q.Part)}
	case Nested:
		return Nested{Path: q.Path, Part: f(q.Part)}
	case All, None, Term, Terms, AllWords, Phrase, Range, Exists, IDs, Timeline:
	}
	return q
}

func mapAll(parts []Query, f func(Query) Query) []Query {
	out := make([]Query, len(parts))
	for i, p := range parts {
		out[i] = f(p)
	}
	return out
}

// WithField asks of another field what a node asks of its own. A node for which
// [FieldOf] has none is returned as it is.
func WithField(q Query, f Field) Query {
	switch q := q.(type) {
	case Term:
		q.Field = f
		return q
	case Terms:
		q.Field = f
		return q
	case AllWords:
		q.Field = f
		return q
	case Phrase:
		q.Field = f
		return q
	case Range:
		q.Field = f
		return q
	case Exists:
		q.Field = f
		return q
	case All, None, And, Or, Not, Nested, IDs, Timeline:
	}
	return q
}
