package query

import "slices"

func simplifyAnd(given []Query) Query {
	parts := make([]Query, 0, len(given))
	for _, p := range given {
		switch p := pass(p).(type) {
		case None:
			return p
		case All:
		case And:
			parts = append(parts, p.Parts...)
		case Or, Not, Term, Terms, AllWords, Phrase, Range, Exists, Nested, IDs:
			parts = append(parts, p)
		}
	}
	parts = unrepeated(mergeWords(parts))
	parts = relieveNots(parts)
	switch len(parts) {
	case 0:
		return All{}
	case 1:
		return parts[0]
	}
	return And{Parts: parts}
}

// mergeWords makes the AllWords of each field one, where the first stood.
func mergeWords(parts []Query) []Query {
	if len(parts) < 2 {
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
		have := out[i].(AllWords) //nolint:forcetypeassert // at holds places of AllWords alone
		out[i] = AllWords{Field: words.Field, Words: distinct(slices.Concat(have.Words, words.Words))}
	}
	return out
}

// unrepeated drops parts that stand there before.
func unrepeated(parts []Query) []Query {
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

// relieveNots drops from the negated conjunctions among parts what the other
// parts demand anyway.
func relieveNots(parts []Query) []Query {
	if !slices.ContainsFunc(parts, isNot) {
		return parts
	}
	held := newDemands(slices.DeleteFunc(slices.Clone(parts), isNot))
	out := make([]Query, len(parts))
	for i, p := range parts {
		out[i] = p
		if not, is := p.(Not); is {
			out[i] = held.relieve(not)
		}
		if _, never := out[i].(None); never {
			return []Query{None{}}
		}
	}
	return out
}

func isNot(q Query) bool {
	_, is := q.(Not)
	return is
}

// demands is what the parts of an And ask for.
type demands struct{ parts *set }

func newDemands(parts []Query) demands {
	d := demands{parts: newSet(len(parts))}
	for _, p := range parts {
		d.parts.add(p)
	}
	return d
}

func (d demands) relieve(n Not) Query {
	and, is := n.Part.(And)
	if !is {
		and = And{Parts: []Query{n.Part}}
	}
	var rest []Query
	for _, p := range and.Parts {
		if !d.imply(p) {
			rest = append(rest, p)
		}
	}
	switch len(rest) {
	case len(and.Parts):
		return n
	case 0:
		return None{}
	case 1:
		return negate(rest[0])
	}
	return Not{Part: And{Parts: rest}}
}

func (d demands) implyAll(q Query) bool {
	return !slices.ContainsFunc(conjuncts(q), func(p Query) bool { return !d.imply(p) })
}

// imply reports whether q holds wherever the demands hold.
func (d demands) imply(q Query) bool {
	w, is := q.(AllWords)
	if !is {
		return d.parts.has(q)
	}
	for _, p := range d.parts.all {
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
