package semantic

import (
	"cmp"
	"slices"
	"strings"

	"kith/index/analysis"
)

// MaxTerms is of how many terms of a kind vectors are kept: those that most people have. They take 2.8 MB with their
// texts, and a look at all of them some 2 ms.
const MaxTerms = 20_000

// Term is a term of a vocabulary.
type Term struct {
	analysis.Term
	// People is about how many people have it.
	People int
}

// Neighbour is a term that is near a phrase.
type Neighbour struct {
	Term
	// Similarity is from the threshold asked for up to 1.
	Similarity float64
}

// Terms are terms of one kind with their vectors. They are never written, and safe for concurrent use.
type Terms struct {
	table   *Table
	all     []Term
	vectors []Vector
}

// Terms makes the vectors of some terms, a few microseconds each. Those beyond [MaxTerms] are left out, as are those
// without a known piece.
func (t *Table) Terms(terms []Term) *Terms {
	out := &Terms{table: t}
	for _, term := range terms[:min(len(terms), MaxTerms)] {
		if v := t.Embed(term.Text); v.length > 0 {
			out.all, out.vectors = append(out.all, term), append(out.vectors, v)
		}
	}
	return out
}

// Neighbours returns the terms of a kind that are at least as similar to a phrase as the threshold says, the nearest
// first and at most limit of them; among equals the one that more people have. The phrase itself, where it is a term,
// is left out: an exact search finds it. For the usual threshold see [Threshold].
func (t *Terms) Neighbours(kind analysis.TermKind, phrase string, limit int, threshold float64) []Neighbour {
	phrase = Normal(kind, phrase)
	v := t.table.Embed(phrase)
	var found []Neighbour
	for i, term := range t.all {
		if term.Kind != kind || term.Text == phrase {
			continue
		}
		if s := similarity(&v, &t.vectors[i]); s >= threshold {
			found = append(found, Neighbour{Term: term, Similarity: s})
		}
	}
	slices.SortFunc(found, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.People, a.People), cmp.Compare(a.Text, b.Text))
	})
	return found[:min(len(found), max(limit, 0))]
}

// Normal is a phrase as the vocabulary would keep it: titles in their normal form, others in folded words.
func Normal(kind analysis.TermKind, phrase string) string {
	if kind == analysis.TermTitle {
		return strings.Join(analysis.Title(phrase), " ")
	}
	return strings.Join(analysis.Tokens(phrase), " ")
}
