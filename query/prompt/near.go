package prompt

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"kith/query/analysis"
)

const (
	// minNear is the minimum length of a term with near terms: a misspelling of a shorter word is another word.
	minNear = 4
	// twoEdits is the length from which a term may differ by two edits.
	twoEdits = 8
)

// MostEdits returns the maximum number of edits between a term and the one asked for: none below
// four letters, one below eight, two from eight on.
func MostEdits(asked string) int {
	switch n := utf8.RuneCountInString(asked); {
	case n < minNear:
		return 0
	case n < twoEdits:
		return 1
	}
	return 2
}

// HasNear reports whether look-ups of a kind include misspellings of the term. They do not for titles of more than two
// words: nearly everyone with such a title words it differently, and thousands of titles differ in a few letters.
func HasNear(kind analysis.TermKind, term string) bool {
	return kind != analysis.TermTitle || strings.Count(term, " ") < 2
}

// Near returns the edit distance between a term and the one asked for, and whether they are near: they begin
// with the same letter and differ by at most [MostEdits]. Equal terms are not near. An edit is an insertion,
// deletion or replacement of a letter, or a transposition of two adjacent letters. No letter is edited twice.
func Near(asked, term string) (distance int, near bool) {
	most := MostEdits(asked)
	if most == 0 || asked == term {
		return 0, false
	}
	a, b := []rune(asked), []rune(term)
	if len(b) == 0 || a[0] != b[0] || len(a)-len(b) > most || len(b)-len(a) > most {
		return 0, false
	}
	d := Edits(a, b)
	return d, d <= most
}

// Edits returns the optimal string alignment distance: Levenshtein's with transpositions.
func Edits[Letter byte | rune](a, b []Letter) int {
	// Three rows of the table, in turn: for the letter before the last, the last, and the current one.
	var short [3 * 32]int
	width, rows := len(b)+1, short[:]
	if 3*width > len(rows) {
		rows = make([]int, 3*width)
	}
	at := func(i, j int) *int { return &rows[i%3*width+j] }
	for i := range len(a) + 1 {
		for j := range width {
			if i == 0 || j == 0 {
				*at(i, j) = i + j
				continue
			}
			d := *at(i-1, j-1)
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, *at(i-1, j)+1, *at(i, j-1)+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, *at(i-2, j-2)+1)
			}
			*at(i, j) = d
		}
	}
	return *at(len(a), len(b))
}

// Choose sorts the results of a look-up by the term asked for (bytewise), kind, distance, number of people (most first)
// and term. It keeps the first [MostNear] near terms for each asked term and kind. It changes the slice in place.
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

// LimitTerms removes duplicates and applies [MaxTerms] and [MaxNear]: exact holds every term once,
// including those of near; nearby holds the terms of near that can have near terms.
func LimitTerms(terms, near []string) (exact, nearby []string) {
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
