package planner

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"kith/query/prompt"
	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
)

// Limits of corrections.
const (
	// shortestMisspelt is the minimum length of a misspelt word. shortestEdited is the minimum
	// length if the edit is not a transposition.
	shortestMisspelt = 4
	shortestEdited   = 5
	// mostSpellings is the maximum number of corrections to consider.
	mostSpellings = 4
	// classWorth is the likelihood of a grammar word as a correction, in the scale of the lexicon.
	classWorth = 6
	// longestSpelt is the maximum length of a word to correct.
	longestSpelt = 24
)

// speller knows all words that can be corrections. It is read-only.
type speller struct {
	byStart map[start][]spelling
	known   map[string]bool
}

// start is the first letter and the length of a word.
type start struct {
	letter byte
	length int
}

type spelling struct {
	lexicon.Spelling
	letters uint32 // a bit for each letter in the word
}

func newSpeller(lex *lexicon.Lexicon, g *grammar.Grammar) *speller {
	s := &speller{byStart: map[start][]spelling{}, known: map[string]bool{}}
	words := map[string]spelling{}
	for _, w := range lex.Spellings() {
		words[w.Word] = spelling{Spelling: w}
	}
	for w := range g.Classes.Words(g.Languages[english].Classes) {
		known := words[w]
		known.Word, known.Foreign, known.Worth = w, false, max(known.Worth, classWorth)
		words[w] = known
	}
	for _, w := range words {
		s.known[w.Word] = true
		if !isPlain(w.Word) || len(w.Word) < shortestMisspelt {
			continue
		}
		w.letters = letterSet(w.Word)
		at := start{w.Word[0], len(w.Word)}
		s.byStart[at] = append(s.byStart[at], w)
	}
	for _, list := range s.byStart {
		slices.SortFunc(list, func(a, b spelling) int { return strings.Compare(a.Word, b.Word) })
	}
	return s
}

// isPlain reports whether a word has only lower-case letters a to z, at most longestSpelt.
func isPlain(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return w != "" && len(w) <= longestSpelt
}

func letterSet(w string) (set uint32) {
	for i := range len(w) {
		set |= 1 << (w[i] - 'a')
	}
	return set
}

// isWord reports whether the speller knows a word or its singular.
func (s *speller) isWord(w string) bool {
	return s.known[w] || s.known[strings.TrimSuffix(w, "s")]
}

// findCorrections returns the likeliest corrections of a word that satisfy may. A short word must be a transposition.
func (s *speller) findCorrections(w string, may func(spelling) bool) []substitute {
	return s.near(w, func(other spelling) bool {
		return may(other) && (min(len(w), len(other.Word)) >= shortestEdited || isTransposition(w, other.Word))
	})
}

// closest returns the likeliest corrections of a word that satisfy may, also of a short one.
func (s *speller) closest(w string, may func(spelling) bool) []substitute {
	return s.near(w, func(other spelling) bool { return len(w) >= shortestMisspelt && may(other) })
}

// near returns the likeliest words near another that satisfy may.
func (s *speller) near(w string, may func(spelling) bool) (found []substitute) {
	most := prompt.MostEdits(w)
	if !isPlain(w) || most == 0 {
		return nil
	}
	letters := letterSet(w)
	for length := len(w) - most; length <= len(w)+most; length++ {
		for _, other := range s.byStart[start{w[0], length}] {
			if bits.OnesCount32(letters^other.letters) > 2*most || !may(other) {
				continue
			}
			d := prompt.Edits([]byte(w), []byte(other.Word))
			if d == 0 || d > most || d > 1 && len(other.Word) < len(w)-1 {
				continue
			}
			found = append(found, substitute{word: other.Word, edits: d, worth: other.Worth})
		}
	}
	slices.SortFunc(found, func(a, b substitute) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.worth, a.worth), strings.Compare(a.word, b.word))
	})
	return found[:min(len(found), mostSpellings)]
}

// isTransposition reports whether two words differ by a transposition of adjacent letters.
func isTransposition(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
