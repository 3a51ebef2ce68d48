package pgindex

import (
	"strconv"
	"strings"

	"kith"
)

// The signature of a document is a Bloom filter over its terms. It is stored in the row, the terms are outside. If a
// bit of a term is missing, the document lacks the term: the filter alone rejects most documents, at a tenth of the
// cost.
const (
	signatureBytes = 128
	// signatureProbes is the number of bits for each term. With two, a document of 150 terms sets a quarter of the
	// bits, which gives false positives for one term in 15.
	signatureProbes = 2
)

// signatureBits are the bits of a term, from its FNV-1a hash. They must never change: signatures are stored.
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

func addToSignature[T string | []byte](signature []byte, term T) {
	for _, bit := range signatureBits(term) {
		signature[bit/8] |= 1 << (bit % 8) // as get_bit counts them
	}
}

// mayHave tests by signature whether a row may have all terms; "TRUE" if the rows have no signatures. Postgres assumes
// that nearly all rows pass <> 0, and few = 1, which would let it trust the signature too much.
func mayHave(terms []string, s source) string {
	if !hasSignatures(s.c) || len(terms) == 0 {
		return "TRUE"
	}
	const each = 60 // bytes
	sql := make([]byte, 0, each*signatureProbes*len(terms))
	for _, t := range terms {
		for _, bit := range signatureBits(t) {
			if len(sql) > 0 {
				sql = append(sql, " AND "...)
			}
			sql = append(append(append(sql, "get_bit("...), s.alias...), ".signature, "...)
			sql = append(strconv.AppendInt(sql, int64(bit), 10), ") <> 0"...)
		}
	}
	return string(sql)
}

// mayHaveAny is like mayHave, for any of the terms. With more than a few, one nearly always seems to match.
func mayHaveAny(terms []string, s source) string {
	if !hasSignatures(s.c) || len(terms) == 0 || len(terms) > fewTerms {
		return "TRUE"
	}
	texts := kith.Each(terms, func(t string) string { return "(" + mayHave([]string{t}, s) + ")" })
	return "(" + strings.Join(texts, " OR ") + ")"
}
