package pgindex

import (
	"strconv"
	"strings"

	"kith/query"
)

// The signature of a document is a Bloom filter over its terms, which stands in
// the row where the terms themselves stand outside of it. A term of which a bit
// is missing there is not among them: most documents that do not satisfy a query
// are told by that alone, at a tenth of the cost.
const (
	signatureBytes = 128
	// signatureProbes is how many bits stand for a term. With two, a document of
	// 150 terms sets a quarter of the bits, and has one term in 15 seem there
	// that is not.
	signatureProbes = 2
)

// signatureBits are the bits that stand for a term: parts of its FNV-1a hash,
// which is the same everywhere and always.
func signatureBits[T string | []byte](term T) (bits [signatureProbes]int) {
	const offset, prime = 14695981039346656037, 1099511628211
	sum := uint64(offset)
	for i := range len(term) {
		sum = (sum ^ uint64(term[i])) * prime
	}
	for i := range bits {
		bits[i] = int(sum >> (32 * i) % (8 * signatureBytes))
	}
	return bits
}

// signatureOf is the signature of a document with these terms.
func signatureOf(terms []string) []byte {
	signature := make([]byte, signatureBytes)
	for _, t := range terms {
		addToSignature(signature, t)
	}
	return signature
}

func addToSignature[T string | []byte](signature []byte, term T) {
	for _, bit := range signatureBits(term) {
		signature[bit/8] |= 1 << (bit % 8) // as get_bit counts them
	}
}

// mayHave says by the signature that a row may have all of some terms; "TRUE"
// where the rows have none. A row that an earlier Kith has written is without:
// it may have them.
func mayHave(terms []string, s source) string {
	if !signed(s.c) || len(terms) == 0 {
		return "TRUE"
	}
	const each = 60 // bytes
	sql := make([]byte, 0, each*signatureProbes*len(terms))
	for _, t := range terms {
		for _, bit := range signatureBits(t) {
			if len(sql) > 0 {
				sql = append(sql, " AND "...)
			}
			sql = append(append(append(sql, "(get_bit("...), s.alias...), ".signature, "...)
			sql = append(strconv.AppendInt(sql, int64(bit), 10), ") = 0) IS NOT TRUE"...)
		}
	}
	return string(sql)
}

// mayHaveAny is the same of any of some terms: of more than a few, one seems to be there all the same.
func mayHaveAny(terms []string, s source) string {
	if !signed(s.c) || len(terms) == 0 || len(terms) > fewTerms {
		return "TRUE"
	}
	texts := make([]string, len(terms))
	for i, t := range terms {
		texts[i] = "(" + mayHave([]string{t}, s) + ")"
	}
	return "(" + strings.Join(texts, " OR ") + ")"
}

// glance is a condition on the row alone, its numbers and its signature, that
// holds at least wherever q does; "TRUE" where the row does not tell.
func (w *writer) glance(q query.Query, s source) string {
	texts := hinting[string]{
		never: "FALSE",
		and:   func(all []string) string { return strings.Join(all, " AND ") },
		or:    func(all []string) string { return "((" + strings.Join(all, ") OR (") + "))" },
		terms: func(terms []string) (string, bool) {
			text := mayHave(terms, s)
			return text, text != "TRUE"
		},
		number: func(r query.Range) (string, bool) { return w.between(r, s), true },
	}
	if text, ok := texts.of(q); ok {
		return text
	}
	return "TRUE"
}

// decide writes a condition to be decided row by row, by the row alone first.
func (w *writer) decide(q query.Query, s source) string { return and(w.glance(q, s), w.row(q, s)) }
