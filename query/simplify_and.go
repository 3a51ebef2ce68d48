package query

import "slices"

func simplifyAnd(given []Query) (Query, bool) {
	parts := passAll(given)
	if slices.ContainsFunc(parts, isA[None]) {
		return None{}, true
	}
	parts = relieveNots(dropRepeats(mergeWords(flat(parts, insideAnd))))
	switch len(parts) {
	case 0:
		return All{}, true
	case 1:
		return parts[0], true
	}
	return And{Parts: parts}, !sharesMemory(parts, given)
}

// isA reports whether a node has a type.
func isA[T Query](q Query) bool {
	_, is := q.(T)
	return is
}

// insideAnd returns the replacement for a part of an And: nothing for All, and the parts of a nested And.
func insideAnd(q Query) (parts []Query, opens bool) {
	and, is := q.(And)
	return and.Parts, is || isA[All](q)
}

// mergeWords merges the AllWords nodes of each field into the first.
func mergeWords(parts []Query) []Query {
	if !several(parts, isA[AllWords]) {
		return parts
	}
	at := map[Field]int{}
	var out []Query
	for _, p := range parts {
		words, is := p.(AllWords)
		if !is {
			out = append(out, p)
			continue
		}
		i, again := at[words.Field]
		if !again {
			at[words.Field] = len(out)
			out = append(out, p)
			continue
		}
		have := out[i].(AllWords) // at holds indexes of AllWords alone
		out[i] = AllWords{Field: words.Field, Words: distinct(slices.Concat(have.Words, words.Words))}
	}
	return out
}

// several reports whether more than one part satisfies is. Most conjunctions and disjunctions have
// nothing to merge, and rebuilding them costs more than everything else done with a filter.
func several(parts []Query, is func(Query) bool) bool {
	first := slices.IndexFunc(parts, is)
	return first >= 0 && slices.ContainsFunc(parts[first+1:], is)
}

// dropRepeats drops duplicate parts.
func dropRepeats(parts []Query) []Query {
	if len(parts) <= fewParts && !repeatedPart(parts) {
		return parts
	}
	seen := newSet(len(parts))
	out := make([]Query, 0, len(parts))
	for _, p := range parts {
		if !seen.has(p) {
			seen.add(p)
			out = append(out, p)
		}
	}
	return out
}

func repeatedPart(parts []Query) bool {
	for i, p := range parts {
		if slices.ContainsFunc(parts[:i], func(q Query) bool { return Equal(p, q) }) {
			return true
		}
	}
	return false
}

// relieveNots drops from the negated conjunctions among parts any condition that the other parts already require.
func relieveNots(parts []Query) []Query {
	if !slices.ContainsFunc(parts, isA[Not]) {
		return parts
	}
	held := setOf(slices.DeleteFunc(slices.Clone(parts), isA[Not]))
	out := parts
	for i, p := range parts {
		not, is := p.(Not)
		if !is {
			continue
		}
		relieved, less := held.relieve(not)
		if !less {
			continue
		}
		if isA[None](relieved) {
			return []Query{None{}}
		}
		if sharesMemory(out, parts) {
			out = slices.Clone(parts)
		}
		out[i] = relieved
	}
	return out
}

// relieve drops the conditions in the set, which hold anyway, from a negated conjunction; less is false if there are
// none.
func (s *set) relieve(n Not) (relieved Query, less bool) {
	and, is := n.Part.(And)
	if !is {
		and = And{Parts: []Query{n.Part}}
	}
	var rest []Query
	for _, p := range and.Parts {
		if !s.imply(p) {
			rest = append(rest, p)
		}
	}
	switch len(rest) {
	case len(and.Parts):
		return n, false
	case 0:
		return None{}, true
	case 1:
		return negate(rest[0]), true
	}
	return Not{Part: And{Parts: rest}}, true
}

func (s *set) implyAll(q Query) bool {
	return !slices.ContainsFunc(conjuncts(q), func(p Query) bool { return !s.imply(p) })
}

// imply reports whether q follows from the queries of the set together.
func (s *set) imply(q Query) bool {
	w, is := q.(AllWords)
	if !is {
		return s.has(q)
	}
	for _, p := range s.all {
		have, is := p.(AllWords)
		if is && have.Field == w.Field && subset(w.Words, have.Words) {
			return true
		}
	}
	return false
}

func subset(words, of []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(of, w) })
}
