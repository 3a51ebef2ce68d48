package pgindex

import "kith/query"

// hinting builds conditions on a row without reading its terms: on its signature, and on its numbers if available. T
// is the type of such a condition.
type hinting[T any] struct {
	never   T
	and, or func([]T) T // of at least one condition
	// terms requires all of some terms, number a range; ok is false if the row cannot tell.
	terms  func([]string) (hint T, ok bool)
	number func(query.Range) (hint T, ok bool)
}

// fewTerms is the most alternatives tested against a signature: with more, one nearly always seems to match.
const fewTerms = 8

// of builds a condition that holds at least wherever q does; ok is false if the row cannot tell.
func (h hinting[T]) of(q query.Query) (hint T, ok bool) {
	switch q := q.(type) {
	case query.And:
		return h.ofAll(q.Parts)
	case query.Or:
		return h.ofAny(q.Parts)
	case query.Term, query.AllWords:
		needed, storable := requiredTerms(q)
		if !storable {
			return h.never, true
		}
		return h.ofTerms(needed)
	case query.Phrase:
		return h.of(q.Somewhere())
	case query.Terms:
		return h.ofSet(q)
	case query.Range:
		return h.number(q)
	case query.None:
		return h.never, true
	case query.All, query.Not, query.Exists, query.Nested, query.IDs, query.Timeline:
	}
	return hint, false
}

func (h hinting[T]) ofAll(parts []query.Query) (hint T, ok bool) {
	var hints []T
	for _, p := range parts {
		if one, ok := h.of(p); ok {
			hints = append(hints, one)
		}
	}
	if len(hints) == 0 {
		return hint, false
	}
	return h.and(hints), true
}

func (h hinting[T]) ofAny(parts []query.Query) (hint T, ok bool) {
	if len(parts) == 0 {
		return h.never, true
	}
	hints := make([]T, len(parts))
	for i, p := range parts {
		if hints[i], ok = h.of(p); !ok {
			return hint, false
		}
	}
	return h.or(hints), true
}

func (h hinting[T]) ofSet(q query.Terms) (hint T, ok bool) {
	if len(q.Values) > fewTerms {
		return hint, false
	}
	parts := make([]query.Query, len(q.Values))
	for i, v := range q.Values {
		parts[i] = query.Term{Field: q.Field, Value: v}
	}
	return h.ofAny(parts)
}

func (h hinting[T]) ofTerms(terms []string) (hint T, ok bool) {
	if len(terms) == 0 {
		return hint, false
	}
	return h.terms(terms)
}
