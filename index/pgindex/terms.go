package pgindex

import (
	"slices"
	"strings"

	"kith"
	"kith/mappings"
	"kith/query"
	"kith/query/indexed"
)

// eachTerm yields the terms of a document or sub-document, possibly with duplicates.
func eachTerm(f indexed.Fields, yield func(name query.Field, value string)) {
	for name, values := range f.Keywords {
		for _, v := range values {
			yield(name, v)
		}
	}
	for name, seqs := range f.Words {
		for _, seq := range seqs {
			for _, token := range seq {
				yield(name, token)
			}
			if isShingled(name) {
				for _, s := range shingles(seq) {
					yield(name, s)
				}
			}
		}
	}
}

// encoded is the stored form of the terms of a document or sub-document.
type encoded struct {
	// terms are hashes without duplicates.
	terms []int64
	// present is the bitmap of the fields with a value.
	present []byte
	// signature is the Bloom filter over the terms; nil if not requested.
	signature []byte
}

// encode hashes terms and, if signed, builds the signature. It rejects values that Postgres text cannot hold: no
// statement can contain them, so they could never be found.
func (l layout) encode(f indexed.Fields, signed bool) (e encoded, err error) {
	e = encoded{present: make([]byte, (len(l.bits)+7)/8)}
	if signed {
		e.signature = make([]byte, signatureBytes)
	}
	var most [512]int64 // larger documents move to the heap
	hashes := most[:0]
	var text [256]byte
	term := text[:0]
	eachTerm(f, func(name query.Field, value string) {
		if !query.Storable(value) {
			err = kith.Errorf(kith.Invalid, "VALUE_INVALID", "%s: a value with NUL, or that is not UTF-8, cannot be "+
				"indexed", name)
			return
		}
		term = query.AppendSQLTerm(term[:0], name, value)
		hashes = append(hashes, hashTerm(term))
		if signed {
			addToSignature(e.signature, term)
		}
		if bit, ok := l.bits[name]; ok {
			e.present[bit/8] |= 1 << (bit % 8) // as get_bit counts them
		}
	})
	slices.Sort(hashes)
	e.terms = slices.Clone(slices.Compact(hashes))
	return e, err
}

// phrases is the stored form of the token sequences, sorted and without duplicates. It skips single tokens: a phrase of
// one word is a term.
func (l layout) phrases(f indexed.Fields) string {
	n := 0
	for _, seqs := range f.Words {
		n += len(seqs)
	}
	phrases := make([]string, 0, n)
	var text []byte
	for name, seqs := range f.Words {
		start, ok := l.phrasePrefix(name)
		for _, seq := range seqs {
			if ok && len(seq) > 1 {
				text = appendSpaced(append(text[:0], start...), seq)
				phrases = append(phrases, string(text))
			}
		}
	}
	slices.Sort(phrases)
	return strings.Join(slices.Compact(phrases), phraseEnd)
}

// phraseEnd separates the phrases of a row. No token contains it.
const phraseEnd = "\n"

// phrasePrefix is how the phrases of a field begin, before the space of the first token; ok is false if the rows have
// none.
func (l layout) phrasePrefix(f query.Field) (start string, ok bool) {
	bit, ok := l.bits[f]
	return string(mappings.PostgresCode(bit)), ok
}

// spaced puts a space before, between and after the tokens. A phrase is then part of a sequence exactly if its text
// is a substring of the sequence's text.
func spaced(tokens []string) string { return string(appendSpaced(nil, tokens)) }

func appendSpaced(to []byte, tokens []string) []byte {
	to = append(to, ' ')
	for _, token := range tokens {
		to = append(append(to, token...), ' ')
	}
	return to
}
