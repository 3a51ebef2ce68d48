package pgindex

import "kith/query"

// signature is a person's signature in memory; all zero for ids that are not in the index.
type signature [signatureBytes]byte

// signatureTest is a condition on signatures.
type signatureTest func(*signature) bool

// compileTest turns a query into a test that passes at least wherever the query holds; nil if signatures cannot tell.
func compileTest(q query.Query) signatureTest {
	t, _ := hinting[signatureTest]{
		never:  func(*signature) bool { return false },
		and:    allTests,
		or:     anyTest,
		terms:  func(terms []string) (signatureTest, bool) { return testTerms(terms), true },
		number: func(query.Range) (signatureTest, bool) { return nil, false },
	}.of(q)
	return t
}

func allTests(tests []signatureTest) signatureTest {
	return func(s *signature) bool {
		for _, t := range tests {
			if !t(s) {
				return false
			}
		}
		return true
	}
}

func anyTest(tests []signatureTest) signatureTest {
	return func(s *signature) bool {
		for _, t := range tests {
			if t(s) {
				return true
			}
		}
		return false
	}
}

// testTerms requires all bits of some terms.
func testTerms(terms []string) signatureTest {
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
