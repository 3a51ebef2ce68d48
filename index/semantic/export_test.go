package semantic

import (
	"strings"

	"kith/query/analysis"
)

// Pieces are the word pieces of a phrase.
func (t *Table) Pieces(phrase string) []string {
	names := t.pieces.Names()
	var out []string
	for _, id := range t.appendPhrase(nil, phrase) {
		out = append(out, names[id])
	}
	return out
}

// Similarity is the cosine of two vectors.
func Similarity(a, b Vector) float64 { return similarity(&a, &b) }

// Compare is the similarity of two phrases of a kind, as in [Terms.Neighbours]: symmetric, at most 1, and 0 for
// titles of different functions.
func (t *Table) Compare(kind analysis.TermKind, a, b string) float64 {
	a, b = Normal(kind, a), Normal(kind, b)
	if kind == analysis.TermTitle && !sameWork(a, b) {
		return 0
	}
	return t.tempered(kind, Similarity(t.Embed(a), t.Embed(b)), strings.Fields(a), strings.Fields(b))
}
