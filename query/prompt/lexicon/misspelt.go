package lexicon

import (
	"strings"

	"kith/index/analysis"
)

// weighWords notes how likely each word means something by itself, and which
// words are right though they mean nothing here.
func (l *Lexicon) weighWords() {
	l.worth = make(map[string]float64, 1<<14)
	note := func(word string, prior float64) {
		if prior > l.worth[word] && !strings.Contains(word, " ") {
			l.worth[word] = prior
		}
	}
	for word, list := range l.entries {
		for _, e := range list {
			if !e.needsCue {
				note(word, e.prior)
			}
		}
	}
	for _, word := range analysis.PlaceKeys(knownMisspelt) {
		if strings.Contains(word, " ") {
			continue
		}
		for _, s := range l.places(word) {
			if !s.NeedsCue && (s.Type != City || s.Place.Population >= knownMisspelt) {
				note(word, s.Prior)
			}
		}
	}
	l.right = map[string]bool{}
	for _, r := range rows("right_words.txt") {
		l.right[r.column(0)] = true
	}
}

// Worth returns how likely a word, one of [analysis.Tokens], means something by
// itself, in the scale of [Sense.Prior]: what a misspelt word is taken for. It is
// 0 for a word that means nothing, or only beside others, and for the names of
// cities that hardly anybody writes.
func (l *Lexicon) Worth(word string) float64 { return l.worth[word] }

// IsWord reports whether a word that means nothing here is a frequent word of
// English all the same, and no misspelling of one that means something.
func (l *Lexicon) IsWord(word string) bool { return l.right[word] }

// Edits calls yield with every word that differs from an ASCII word by one
// edit: two letters in turn, one missing, one too many, one replaced. The first
// letter stays. A word with other letters has none. Yield must not keep what it gets.
func Edits(w string, yield func([]byte)) {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return
		}
	}
	buf := make([]byte, 0, len(w)+1)
	with := func(i int, middle string, rest string) {
		yield(append(append(append(buf[:0], w[:i]...), middle...), rest...))
	}
	for i := 1; i < len(w); i++ {
		if i+1 < len(w) && w[i] != w[i+1] {
			with(i, w[i+1:i+2]+w[i:i+1], w[i+2:])
		}
		with(i, "", w[i+1:])
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	for i := 1; i <= len(w); i++ {
		for c := range len(letters) {
			with(i, letters[c:c+1], w[i:])
			if i < len(w) && letters[c] != w[i] {
				with(i, letters[c:c+1], w[i+1:])
			}
		}
	}
}
