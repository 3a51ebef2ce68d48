package query

import "slices"

func simplifyOr(given []Query) (Query, bool) {
	parts := passAll(given)
	if slices.ContainsFunc(parts, isA[All]) {
		return All{}, true
	}
	parts = absorb(dropRepeats(mergeValues(flat(parts, insideOr))))
	switch len(parts) {
	case 0:
		return None{}, true
	case 1:
		return parts[0], true
	}
	return Or{Parts: parts}, !sharesMemory(parts, given)
}

// insideOr returns the replacement for a part of an Or: nothing for None, and the parts of a nested Or.
func insideOr(q Query) (parts []Query, opens bool) {
	or, is := q.(Or)
	return or.Parts, is || isA[None](q)
}

// maxAbsorbed is the maximum number of parts of an Or to compare pairwise.
const maxAbsorbed = 64

// absorb drops parts that only narrow another part: in Or(P, And(P, rest)) the second is redundant.
// Of parts that narrow each other, such as the same words in another order, the first stays.
func absorb(parts []Query) []Query {
	if len(parts) < 2 || len(parts) > maxAbsorbed {
		return parts
	}
	out := parts
	for i, p := range slices.Backward(parts) {
		held := setOf(conjuncts(p))
		if !slices.ContainsFunc(out[:i], held.implyAll) && !slices.ContainsFunc(out[i+1:], held.implyAll) {
			continue
		}
		if sharesMemory(out, parts) {
			out = slices.Clone(parts)
		}
		out = slices.Delete(out, i, i+1)
	}
	return out
}

func conjuncts(q Query) []Query {
	if and, is := q.(And); is {
		return and.Parts
	}
	return []Query{q}
}

// mergeValues merges the values of one field into one Terms, and the IDs into one IDs, each at the
// position of the first. A node has at most [MaxTerms] values; the next node holds the rest.
func mergeValues(parts []Query) []Query {
	if !several(parts, isValues) {
		return parts
	}
	m := merger{open: map[Field]*valueSet{}, ids: -1}
	for _, p := range parts {
		m.add(p)
	}
	for _, set := range m.sets {
		if set.own {
			m.out[set.at] = Terms{Field: set.field, Values: set.values}
		}
	}
	return m.out
}

func isValues(q Query) bool {
	switch q := q.(type) {
	case Term, Terms, IDs:
		return true
	case AllWords:
		return len(q.Words) == 1
	case All, None, And, Or, Not, Phrase, Range, Exists, Nested, Timeline:
	}
	return false
}

type merger struct {
	out  []Query
	sets []*valueSet
	open map[Field]*valueSet // the last set of a field
	ids  int                 // position of the IDs node that can still grow; -1 for none
}

func (m *merger) add(q Query) {
	if field, values, is := alternatives(q); is {
		m.addValues(q, field, values)
		return
	}
	ids, is := q.(IDs)
	if !is {
		m.out = append(m.out, q)
		return
	}
	if m.ids >= 0 {
		have := m.out[m.ids].(IDs) // ids is the index of an IDs
		if all := union(have.Values, ids.Values); len(all) <= MaxTerms {
			m.out[m.ids] = IDs{Values: all}
			return
		}
	}
	m.ids = len(m.out)
	m.out = append(m.out, q)
}

func (m *merger) addValues(q Query, field Field, values []string) {
	if set := m.open[field]; set != nil && set.add(values) {
		return
	}
	set := &valueSet{at: len(m.out), field: field, values: values}
	m.open[field], m.sets = set, append(m.sets, set)
	m.out = append(m.out, q)
}

// valueSet holds the distinct values of one field in several parts.
type valueSet struct {
	at     int // position among the parts
	field  Field
	values []string
	own    bool // whether the set owns values, because it merged several parts
	seen   map[string]struct{}
}

// add adds values that are new to the set. It adds none and returns false if there would be more than [MaxTerms].
func (s *valueSet) add(values []string) bool {
	var fresh []string
	for _, v := range values {
		if !s.has(v) {
			fresh = append(fresh, v)
		}
	}
	if len(s.values)+len(fresh) > MaxTerms {
		return false
	}
	if !s.own {
		s.own, s.values = true, append(make([]string, 0, 2*(len(s.values)+len(fresh))), s.values...)
	}
	s.values = append(s.values, fresh...)
	if s.seen != nil {
		for _, v := range fresh {
			s.seen[v] = struct{}{}
		}
	}
	return true
}

// has reports whether a value is in the set. It compares a few values one by one.
func (s *valueSet) has(value string) bool {
	if s.seen == nil && len(s.values) <= fewParts {
		return slices.Contains(s.values, value)
	}
	if s.seen == nil {
		s.seen = make(map[string]struct{}, 2*len(s.values))
		for _, v := range s.values {
			s.seen[v] = struct{}{}
		}
	}
	_, have := s.seen[value]
	return have
}

// alternatives returns the field and values of a node that matches any of several values; ok is false for other nodes.
func alternatives(q Query) (field Field, values []string, ok bool) {
	switch q := q.(type) {
	case Term:
		return q.Field, []string{q.Value}, true
	case Terms:
		return q.Field, q.Values, true
	case AllWords:
		return q.Field, q.Words, len(q.Words) == 1
	case All, None, And, Or, Not, Phrase, Range, Exists, Nested, IDs, Timeline:
	}
	return "", nil, false
}

func union[T comparable](a, b []T) []T {
	return distinct(append(append(make([]T, 0, len(a)+len(b)), a...), b...))
}
