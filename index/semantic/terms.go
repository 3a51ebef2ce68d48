package semantic

import (
	"cmp"
	"slices"
	"strings"

	"kith/query/analysis"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// MaxTerms is the most terms of a kind with vectors: those that most people have. They take 2.8 MB including their
// texts; comparing them all takes some 2 ms.
const MaxTerms = 20_000

// Term is a term of a vocabulary.
type Term struct {
	analysis.Term
	// People is the approximate number of people with the term.
	People int
}

// Neighbour is a term similar to a phrase.
type Neighbour struct {
	Term
	// Similarity is between the requested threshold and 1.
	Similarity float64
}

// Terms are terms of one kind with their vectors. They never change and are safe for concurrent use.
type Terms struct {
	table   *Table
	all     []Term
	vectors []Vector
}

// Terms computes the vectors of terms, in a few microseconds each. It skips terms after the first [MaxTerms] and
// those without a known piece.
func (t *Table) Terms(terms []Term) *Terms {
	out := &Terms{table: t}
	for _, term := range terms[:min(len(terms), MaxTerms)] {
		if v := t.Embed(term.Text); v.length > 0 {
			out.all, out.vectors = append(out.all, term), append(out.vectors, v)
		}
	}
	return out
}

// Neighbours returns the terms of a kind whose similarity to a phrase reaches the threshold, the most similar first,
// at most limit. Among equals the more common term comes first. It omits the phrase itself, which an exact search
// finds. A phrase with a word that means nothing (zzzzqq) has none. For the usual threshold see [Threshold].
func (t *Terms) Neighbours(kind analysis.TermKind, phrase string, limit int, threshold float64) []Neighbour {
	phrase = Normal(kind, phrase)
	if !t.know(kind, phrase) {
		return nil
	}
	v, words := t.table.Embed(phrase), strings.Fields(phrase)
	var found []Neighbour
	for i, term := range t.all {
		if term.Kind != kind || term.Text == phrase {
			continue
		}
		s := similarity(&v, &t.vectors[i])
		if s < threshold || kind == analysis.TermTitle && !sameWork(phrase, term.Text) {
			continue
		}
		if s = t.table.tempered(kind, s, words, strings.Fields(term.Text)); s >= threshold {
			found = append(found, Neighbour{Term: term, Similarity: s})
		}
	}
	slices.SortFunc(found, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.People, a.People), cmp.Compare(a.Text,
			b.Text))
	})
	return found[:min(len(found), max(limit, 0))]
}

// know reports whether a phrase means something: each word is known to the table or to a term, or it is a title of the
// taxonomy. The fragments of any other word are similar to terms by chance.
func (t *Terms) know(kind analysis.TermKind, phrase string) bool {
	if kind == analysis.TermTitle && len(taxonomy.FunctionsOf(phrase)) > 0 {
		return true
	}
	for word := range strings.FieldsSeq(phrase) {
		if !t.table.knows(word) && !slices.ContainsFunc(t.all, func(term Term) bool {
			return strings.Contains(term.Text, word) && slices.Contains(strings.Fields(term.Text), word)
		}) {
			return false
		}
	}
	return true
}

// sameWork reports whether two titles share a function, or both have none: a beekeeper is not a bookkeeper, however
// similar the words.
func sameWork(a, b string) bool {
	of, other := taxonomy.FunctionsOf(a), taxonomy.FunctionsOf(b)
	if len(of) == 0 {
		return len(other) == 0
	}
	return slices.ContainsFunc(of, func(f string) bool { return slices.Contains(other, f) })
}

// weightOfRest is the weight of the differing words of two phrases that share others, and apart what titles without a
// common word lose; both are fitted to judged pairs: see docs/semantic.md.
const weightOfRest, apart = 0.4, 0.15

// tempered is the similarity of two phrases; if they share words, the other words count separately: a chief privacy
// officer is not a chief marketing officer. If titles share none, chance is the more likely reason: a beekeeper is not
// a gamekeeper.
func (t *Table) tempered(kind analysis.TermKind, whole float64, a, b []string) float64 {
	only := func(of, others []string) []string {
		return slices.DeleteFunc(slices.Clone(of), func(w string) bool { return slices.Contains(others, w) })
	}
	restA, restB := only(a, b), only(b, a)
	if kind == analysis.TermTitle && len(restA) == len(a) && len(restB) == len(b) {
		return max(whole-apart, 0)
	}
	if len(restA) == 0 || len(restB) == 0 || len(restA) == len(a) {
		return whole
	}
	one, other := t.Embed(strings.Join(restA, " ")), t.Embed(strings.Join(restB, " "))
	return (1-weightOfRest)*whole + weightOfRest*similarity(&one, &other)
}

// Normal is a phrase in the form of the vocabulary: the normal form of titles, the folded words of others.
func Normal(kind analysis.TermKind, phrase string) string {
	if kind == analysis.TermTitle {
		return strings.Join(taxonomy.Title(phrase), " ")
	}
	return strings.Join(tokenizer.Tokens(phrase), " ")
}
