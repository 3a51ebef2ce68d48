package pgindex

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"kith/index"
	"kith/query"
)

// maxTerm is the longest term in bytes that is kept as it is: an entry of a
// GIN index may have 2,700.
const maxTerm = 500

// term returns how a value of a field stands in the terms of a row.
func term(f query.Field, value string) string {
	t := string(f) + ":" + value
	if len(t) <= maxTerm {
		return t
	}
	sum := sha256.Sum256([]byte(value))
	return strings.ToValidUTF8(t[:100], "") + "#" + hex.EncodeToString(sum[:])
}

// termsOf lists the terms of a document or sub-document, sorted, each once.
func termsOf(f index.Fields) []string {
	terms := []string{}
	for name, values := range f.Keywords {
		for _, v := range values {
			terms = append(terms, term(name, v))
		}
	}
	for name, seqs := range f.Words {
		for _, seq := range seqs {
			for _, token := range seq {
				terms = append(terms, term(name, token))
			}
		}
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// phrasesOf lists the token sequences, sorted, each once.
func phrasesOf(f index.Fields) []string {
	phrases := []string{}
	for name, seqs := range f.Words {
		for _, seq := range seqs {
			if len(seq) > 0 {
				phrases = append(phrases, string(name)+":"+spaced(seq))
			}
		}
	}
	slices.Sort(phrases)
	return slices.Compact(phrases)
}

// spaced puts a space before, between and behind the tokens, so that a phrase
// is a part of a sequence exactly when its text is a part of the text.
func spaced(tokens []string) string { return " " + strings.Join(tokens, " ") + " " }
