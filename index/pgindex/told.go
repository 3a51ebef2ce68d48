package pgindex

import "kith/query"

// signature is the signature of a person in memory; all zero for someone who is
// not in the index.
type signature [signatureBytes]byte

// told is a condition on signatures that holds at least wherever a query does.
type told func(*signature) bool

// tell makes such a condition of a query; nil where signatures do not tell.
func tell(q query.Query) told {
	switch q := q.(type) {
	case query.And:
		return tellAll(q.Parts)
	case query.Or:
		return tellAny(q.Parts)
	case query.Term, query.AllWords:
		needed, ok := required(q)
		if !ok {
			return never
		}
		return tellTerms(needed)
	case query.Phrase:
		return tell(query.AllWords(q))
	case query.Terms:
		return tellSet(q)
	case query.None:
		return never
	case query.All, query.Not, query.Range, query.Exists, query.Nested, query.IDs:
	}
	return nil
}

func never(*signature) bool { return false }

func tellAll(parts []query.Query) told {
	var all []told
	for _, p := range parts {
		if t := tell(p); t != nil {
			all = append(all, t)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return func(s *signature) bool {
		for _, t := range all {
			if !t(s) {
				return false
			}
		}
		return true
	}
}

func tellAny(parts []query.Query) told {
	tests := make([]told, len(parts))
	for i, p := range parts {
		if tests[i] = tell(p); tests[i] == nil {
			return nil
		}
	}
	return anyTold(tests)
}

func anyTold(tests []told) told {
	return func(s *signature) bool {
		for _, t := range tests {
			if t(s) {
				return true
			}
		}
		return false
	}
}

// tellSet asks for any of some values, where they are not so many that one of
// them seems to be there all the same.
func tellSet(q query.Terms) told {
	terms := anyOf(q)
	if len(terms) > fewTerms {
		return nil
	}
	tests := make([]told, len(terms))
	for i, t := range terms {
		tests[i] = tellTerms([]string{t})
	}
	return anyTold(tests)
}

// tellTerms asks for all bits of some terms.
func tellTerms(terms []string) told {
	if len(terms) == 0 {
		return nil
	}
	type bit struct {
		at   int
		mask byte
	}
	var bits []bit
	for _, t := range terms {
		for _, n := range signatureBits(t) {
			bits = append(bits, bit{at: n / 8, mask: 1 << (n % 8)})
		}
	}
	return func(s *signature) bool {
		for _, b := range bits {
			if s[b.at]&b.mask == 0 {
				return false
			}
		}
		return true
	}
}
