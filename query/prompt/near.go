package prompt

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// minNear is how long a term must be to have near ones: a misspelling of a
	// shorter word is another word.
	minNear = 4
	// twoEdits is from which length on a term may differ by two edits.
	twoEdits = 8
)

// MostEdits is by how many edits a term may differ from one that is asked for:
// none below four letters, one below eight, two from eight on.
func MostEdits(asked string) int {
	switch n := utf8.RuneCountInString(asked); {
	case n < minNear:
		return 0
	case n < twoEdits:
		return 1
	}
	return 2
}

// HasNear reports whether terms of a kind are found by their misspellings. Titles
// of more than two words are not: nearly everyone who has one spells it
// otherwise, and thousands differ in a few letters.
func HasNear(kind Kind, term string) bool {
	return kind != Title || strings.Count(term, " ") < 2
}

// Near reports by how many edits a term differs from the one that is asked for,
// and whether the two are near: they begin with the same letter and differ by
// at most [MostEdits]. Equal terms are not near. An edit is an insertion, a
// deletion or a replacement of a letter, or a transposition of two neighbours,
// and no letter is edited twice.
func Near(asked, term string) (distance int, near bool) {
	most := MostEdits(asked)
	if most == 0 || asked == term {
		return 0, false
	}
	a, b := []rune(asked), []rune(term)
	if len(b) == 0 || a[0] != b[0] || len(a)-len(b) > most || len(b)-len(a) > most {
		return 0, false
	}
	d := distanceOf(a, b)
	return d, d <= most
}

// distanceOf is the optimal string alignment distance: Levenshtein's with
// transpositions.
func distanceOf(a, b []rune) int {
	// Three rows of the table: of the letter before the last, the last, this.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Choose puts what was found into the order of an answer: by the term asked
// for, byte by byte, then kind, distance, most people first, and term. Of the
// near terms it keeps the first [MostNear] of each asked term and kind. The
// slice is changed in place.
func Choose(found []Known) []Known {
	slices.SortFunc(found, func(a, b Known) int {
		return cmp.Or(cmp.Compare(a.For, b.For), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Distance, b.Distance),
			cmp.Compare(b.People, a.People), cmp.Compare(a.Term, b.Term))
	})
	near := 0
	kept := found[:0]
	for i, k := range found {
		if i == 0 || k.For != found[i-1].For || k.Kind != found[i-1].Kind {
			near = 0
		}
		if k.Distance > 0 {
			near++
		}
		if near <= MostNear {
			kept = append(kept, k)
		}
	}
	return kept
}

// Asked bounds and cleans what is asked for, by [MaxTerms] and [MaxNear]: exact
// holds every term once, those of near included; near those of them that can
// have near terms.
func Asked(terms, near []string) (exact, nearby []string) {
	seen := make(map[string]bool, len(terms)+len(near))
	add := func(t string) {
		if t != "" && !seen[t] && len(exact) < MaxTerms {
			seen[t] = true
			exact = append(exact, t)
		}
	}
	asked := map[string]bool{}
	for _, t := range near {
		add(t)
		if seen[t] && !asked[t] && MostEdits(t) > 0 && len(nearby) < MaxNear {
			asked[t] = true
			nearby = append(nearby, t)
		}
	}
	for _, t := range terms {
		add(t)
	}
	return exact, nearby
}
