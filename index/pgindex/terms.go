package pgindex

import (
	"slices"
	"strings"

	"kith/index"
	"kith/query"
)

// termsOf lists the terms of a document or sub-document, sorted, each once.
func termsOf(f index.Fields) []string {
	terms := []string{}
	for name, values := range f.Keywords {
		for _, v := range values {
			terms = append(terms, query.SQLTerm(name, v))
		}
	}
	for name, seqs := range f.Words {
		for _, seq := range seqs {
			for _, token := range seq {
				terms = append(terms, query.SQLTerm(name, token))
			}
			if isShingled(name) {
				for _, s := range shingles(seq) {
					terms = append(terms, query.SQLTerm(name, s))
				}
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
