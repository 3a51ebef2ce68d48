package pgindex

import "kith/query"

// signature is the signature of a person in memory; all zero for someone who is
// not in the index.
type signature [signatureBytes]byte

// told is a condition on signatures.
type told func(*signature) bool

// tell makes of a query a condition that holds at least wherever it does; nil
// where signatures do not tell.
func tell(q query.Query) told {
	t, _ := hinting[told]{
		never:  func(*signature) bool { return false },
		and:    allTold,
		or:     anyTold,
		terms:  func(terms []string) (told, bool) { return tellTerms(terms), true },
		number: func(query.Range) (told, bool) { return nil, false },
	}.of(q)
	return t
}

func allTold(tests []told) told {
	return func(s *signature) bool {
		for _, t := range tests {
			if !t(s) {
				return false
			}
		}
		return true
	}
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

// tellTerms asks for all bits of some terms.
func tellTerms(terms []string) told {
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
