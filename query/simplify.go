package query

import "slices"

// Simplify returns an equivalent query without redundant nodes:
//   - And and Or are flat and have at least two parts, without constants or duplicates.
//   - Values of one field in an Or become one Terms; words of one field in an And become one AllWords.
//   - The Nots of an And do not repeat what the And already requires. This keeps "close, but not exact"
//     small: in And(P, Not(And(P, rest))) the second P goes.
//
// The result depends only on the query, and simplifying it again changes nothing. Simplify does not
// modify the query; the result may share parts with it.
func Simplify(q Query) Query {
	for {
		next, changed := pass(q)
		if !changed || Equal(next, q) {
			return next
		}
		q = next
	}
}

// pass simplifies every node once, innermost first. Each rule leaves fewer or smaller nodes, so passes
// terminate. If changed is false, pass returns the query itself: most queries are already simple.
func pass(q Query) (next Query, changed bool) {
	switch q := q.(type) {
	case And:
		next, changed = simplifyAnd(q.Parts)
	case Or:
		next, changed = simplifyOr(q.Parts)
	case Not:
		next, changed = simplifyNot(q)
	case Nested:
		next, changed = simplifyNested(q)
	case Terms:
		next, changed = simplifyTerms(q)
	case AllWords:
		next, changed = simplifyWords(q)
	case Phrase:
		next, changed = simplifyPhrase(q)
	case IDs:
		next, changed = simplifyIDs(q)
	case All, None, Term, Range, Exists, Timeline:
	}
	if !changed {
		return q, false
	}
	return next, true
}

// passAll simplifies the parts of a node. It returns the same slice if no part changes.
func passAll(parts []Query) []Query {
	out := parts
	for i, p := range parts {
		next, changed := pass(p)
		if !changed {
			continue
		}
		if sharesMemory(out, parts) {
			out = slices.Clone(parts)
		}
		out[i] = next
	}
	return out
}

// flat replaces the parts that open by their inner parts. It returns the same slice if none opens.
func flat(parts []Query, inside func(Query) (parts []Query, opens bool)) []Query {
	if !slices.ContainsFunc(parts, func(q Query) bool { _, opens := inside(q); return opens }) {
		return parts
	}
	out := make([]Query, 0, len(parts))
	for _, p := range parts {
		if inner, opens := inside(p); opens {
			out = append(out, inner...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// sharesMemory reports whether two slices share their memory.
func sharesMemory(a, b []Query) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func simplifyNot(n Not) (Query, bool) {
	part, changed := pass(n.Part)
	switch part.(type) {
	case Not, All, None:
		return negate(part), true
	case And, Or, Term, Terms, AllWords, Phrase, Range, Exists, Nested, IDs, Timeline:
	}
	return Not{Part: part}, changed
}

func negate(q Query) Query {
	switch q := q.(type) {
	case Not:
		return q.Part
	case All:
		return None{}
	case None:
		return All{}
	case And, Or, Term, Terms, AllWords, Phrase, Range, Exists, Nested, IDs, Timeline:
	}
	return Not{Part: q}
}

// simplifyNested keeps a Nested over All: it tests whether there is any sub-document.
func simplifyNested(n Nested) (Query, bool) {
	part, changed := pass(n.Part)
	if isA[None](part) {
		return None{}, true
	}
	return Nested{Path: n.Path, Part: part}, changed
}

func simplifyTerms(t Terms) (Query, bool) {
	values := distinct(t.Values)
	switch len(values) {
	case 0:
		return None{}, true
	case 1:
		return Term{Field: t.Field, Value: values[0]}, true
	}
	return Terms{Field: t.Field, Values: values}, len(values) < len(t.Values)
}

func simplifyWords(w AllWords) (Query, bool) {
	words := distinct(w.Words)
	if len(words) == 0 {
		return All{}, true
	}
	return AllWords{Field: w.Field, Words: words}, len(words) < len(w.Words)
}

// simplifyPhrase turns a phrase of one word into a Term. A phrase without words matches nothing;
// with AnyOrder, repeated words are redundant.
func simplifyPhrase(p Phrase) (Query, bool) {
	switch len(p.Words) {
	case 0:
		return None{}, true
	case 1:
		return Term{Field: p.Field, Value: p.Words[0]}, true
	}
	if words := distinct(p.Words); p.AnyOrder && len(words) < len(p.Words) {
		return Phrase{Field: p.Field, Words: words, AnyOrder: true}, true
	}
	return nil, false
}

func simplifyIDs(q IDs) (Query, bool) {
	values := distinct(q.Values)
	if len(values) == 0 {
		return None{}, true
	}
	return IDs{Values: values}, len(values) < len(q.Values)
}

// distinct drops repeated values and keeps the order. It returns the same slice if nothing repeats.
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
