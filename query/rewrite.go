package query

import "kith"

// MapParts returns q with f applied to each of its direct parts. A node without parts is returned unchanged.
func MapParts(q Query, f func(Query) Query) Query {
	switch q := q.(type) {
	case And:
		return And{Parts: kith.Each(q.Parts, f)}
	case Or:
		return Or{Parts: kith.Each(q.Parts, f)}
	case Not:
		return Not{Part: f(q.Part)}
	case Nested:
		return Nested{Path: q.Path, Part: f(q.Part)}
	case All, None, Term, Terms, AllWords, Phrase, Range, Exists, IDs, Timeline:
	}
	return q
}

// WithField returns the node with another field. A node for which [FieldOf] is false is returned unchanged.
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
