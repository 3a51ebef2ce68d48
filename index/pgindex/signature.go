package pgindex

import (
	"fmt"
	"hash/fnv"
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
func signatureBits(term string) (bits [signatureProbes]int) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(term))
	sum := h.Sum64()
	for i := range bits {
		bits[i] = int(sum >> (32 * i) % (8 * signatureBytes))
	}
	return bits
}

// signatureOf is the signature of a document with these terms.
func signatureOf(terms []string) []byte {
	signature := make([]byte, signatureBytes)
	for _, t := range terms {
		for _, bit := range signatureBits(t) {
			signature[bit/8] |= 1 << (bit % 8) // as get_bit counts them
		}
	}
	return signature
}

// mayHave says by the signature that a row may have all of some terms; "TRUE"
// where the rows have none. A row that an earlier Kith has written is without:
// it may have them.
func (w *writer) mayHave(terms []string, s source) string {
	if !s.signed() || len(terms) == 0 {
		return "TRUE"
	}
	var texts []string
	for _, t := range terms {
		for _, bit := range signatureBits(t) {
			texts = append(texts, fmt.Sprintf("(get_bit(%s.signature, %d) = 0) IS NOT TRUE", s.alias, bit))
		}
	}
	return strings.Join(texts, " AND ")
}

// mayHaveAny says the same of any of some terms, where they are not so many that
// one of them seems to be there all the same.
func (w *writer) mayHaveAny(terms []string, s source) string {
	if len(terms) > fewTerms {
		return "TRUE"
	}
	texts := make([]string, len(terms))
	for i, t := range terms {
		if texts[i] = w.mayHave([]string{t}, s); texts[i] == "TRUE" {
			return "TRUE"
		}
	}
	return "(" + strings.Join(texts, " OR ") + ")"
}

// fewTerms is up to how many alternatives are looked up in a signature.
const fewTerms = 8

// glance is a condition on the row alone, its numbers and its signature, that
// holds at least wherever q does; "TRUE" where the row does not tell.
func (w *writer) glance(q query.Query, s source) string {
	switch q := q.(type) {
	case query.And:
		texts := make([]string, len(q.Parts))
		for i, p := range q.Parts {
			texts[i] = w.glance(p, s)
		}
		return and(texts...)
	case query.Or:
		return w.glanceOr(q, s)
	case query.Term, query.AllWords:
		if needed, ok := required(q); ok {
			return w.mayHave(needed, s)
		}
		return "FALSE"
	case query.Phrase:
		return w.glance(query.AllWords(q), s)
	case query.Terms:
		return w.mayHaveAny(anyOf(q), s)
	case query.Range:
		return w.between(q, s)
	case query.None:
		return "FALSE"
	case query.All, query.Not, query.Exists, query.Nested, query.IDs:
	}
	return "TRUE"
}

// decide writes a condition to be decided row by row, by the row alone first.
func (w *writer) decide(q query.Query, s source) string { return and(w.glance(q, s), w.row(q, s)) }

func (w *writer) glanceOr(or query.Or, s source) string {
	texts := make([]string, len(or.Parts))
	for i, p := range or.Parts {
		if texts[i] = w.glance(p, s); texts[i] == "TRUE" {
			return "TRUE"
		}
		texts[i] = "(" + texts[i] + ")"
	}
	if len(texts) == 0 {
		return "FALSE"
	}
	return "(" + strings.Join(texts, " OR ") + ")"
}
