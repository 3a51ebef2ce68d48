package query

import "slices"

// Simplify returns a query that means the same and has no needless nodes: And
// and Or are flat, hold no constant, no duplicate and at least two parts; values
// of one field that stand side by side in an Or are one Terms, and words of one
// field in an And one AllWords; and what an And already demands is not asked
// again inside its Nots. That last rule keeps "close, but not exact" small: in
// And(P, Not(And(P, rest))) the second P goes.
//
// The result depends on the query alone, and simplifying it again changes
// nothing. The query that is given is not changed; the result may share parts
// with it.
func Simplify(q Query) Query {
	for {
		next := pass(q)
		if Equal(next, q) {
			return next
		}
		q = next
	}
}

// pass simplifies every node once, the innermost first. Each rule leaves fewer
// or smaller nodes, so that passes come to an end.
func pass(q Query) Query {
	switch q := q.(type) {
	case And:
		return simplifyAnd(q.Parts)
	case Or:
		return simplifyOr(q.Parts)
	case Not:
		return negate(pass(q.Part))
	case Nested:
		return simplifyNested(q)
	case Terms:
		return simplifyTerms(q)
	case AllWords:
		return simplifyWords(q)
	case Phrase:
		return simplifyPhrase(q)
	case IDs:
		return simplifyIDs(q)
	case All, None, Term, Range, Exists:
		return q
	}
	return q
}

func negate(q Query) Query {
	switch q := q.(type) {
	case Not:
		return q.Part
	case All:
		return None{}
	case None:
		return All{}
	case And, Or, Term, Terms, AllWords, Phrase, Range, Exists, Nested, IDs:
		return Not{Part: q}
	}
	return Not{Part: q}
}

// simplifyNested keeps a Nested over All: it asks whether there is any
// sub-document.
func simplifyNested(n Nested) Query {
	part := pass(n.Part)
	if _, never := part.(None); never {
		return None{}
	}
	return Nested{Path: n.Path, Part: part}
}

func simplifyTerms(t Terms) Query {
	values := distinct(t.Values)
	switch len(values) {
	case 0:
		return None{}
	case 1:
		return Term{Field: t.Field, Value: values[0]}
	}
	return Terms{Field: t.Field, Values: values}
}

func simplifyWords(w AllWords) Query {
	words := distinct(w.Words)
	if len(words) == 0 {
		return All{}
	}
	return AllWords{Field: w.Field, Words: words}
}

// simplifyPhrase makes a phrase of one word a Term. A phrase without words
// stands nowhere.
func simplifyPhrase(p Phrase) Query {
	switch len(p.Words) {
	case 0:
		return None{}
	case 1:
		return Term{Field: p.Field, Value: p.Words[0]}
	}
	return p
}

func simplifyIDs(q IDs) Query {
	values := distinct(q.Values)
	if len(values) == 0 {
		return None{}
	}
	return IDs{Values: values}
}

// distinct drops repeated values and keeps the order. It returns the same
// slice where nothing repeats.
func distinct[T comparable](values []T) []T {
	if len(values) <= fewParts && !repeats(values) {
		return values
	}
	seen := make(map[T]struct{}, len(values))
	for _, v := range values {
		seen[v] = struct{}{}
	}
	if len(seen) == len(values) {
		return values
	}
	clear(seen)
	var out []T
	for _, v := range values {
		if _, again := seen[v]; !again {
			seen[v] = struct{}{}
			out = append(out, v)
		}
	}
	return out
}

func repeats[T comparable](values []T) bool {
	for i, v := range values {
		if slices.Contains(values[:i], v) {
			return true
		}
	}
	return false
}
