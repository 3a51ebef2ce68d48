package lexicon

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"kith/index/analysis"
)

// worthForeign is how likely a misspelt word is a title of another language: less than
// any other word.
const worthForeign = 0.5

// weighWords notes how likely each word means something by itself, and which
// words are right though they mean nothing here.
func (l *Lexicon) weighWords() {
	l.worth = make(map[string]float64, 1<<14)
	note := func(word string, prior float64) {
		if l.foreign[word] {
			prior = min(prior, worthForeign)
		}
		if prior > l.worth[word] && !strings.Contains(word, " ") {
			l.worth[word] = prior
		}
	}
	for word, list := range l.entries {
		for _, e := range list {
			if !e.needsCue && !l.further[word] {
				note(word, e.prior)
			}
		}
	}
	l.weighPlaces(note)
	l.right = map[string]bool{}
	for _, r := range rows("right_words.txt") {
		l.right[r.column(0)] = true
	}
	l.inFull = map[string][]string{}
	for _, r := range rows("shorthand.tsv") {
		for _, short := range r.list(0) {
			l.inFull[short] = r.list(1)
		}
	}
}

// weighPlaces notes the places of one word that a misspelt one may mean.
func (l *Lexicon) weighPlaces(note func(word string, prior float64)) {
	for _, word := range analysis.PlaceKeys(knownMisspelt) {
		if strings.Contains(word, " ") {
			continue
		}
		for _, s := range l.places(word) {
			if isKnownPlace(s, word) {
				note(word, s.Prior)
			}
		}
	}
}

// Worth returns how likely a word, one of [analysis.Tokens], means something by
// itself, in the scale of [Sense.Prior]: what a misspelt word is taken for. It is
// 0 for a word that means nothing, or only beside others, and for the names of
// cities that hardly anybody writes.
func (l *Lexicon) Worth(word string) float64 { return l.worth[word] }

// InFull returns what a word stands for if it is short for others (mgr), the
// likeliest first, or nothing. In capitals (FE) it is another than without. The slice
// must not be changed.
func (l *Lexicon) InFull(word string) []string { return l.inFull[word] }

// longArea is how many letters the name of an area has at least that a misspelt word
// is taken for: shorter ones are near too many names.
const longArea = 7

// IsWord reports whether a word that means nothing here is a frequent word of
// English all the same, and no misspelling of one that means something.
func (l *Lexicon) IsWord(word string) bool { return l.right[word] }

// LongWord is how many letters a word has at least that may be misspelt twice.
const LongWord = 8

// TwiceMisspelt returns the likeliest word that differs from a word by two edits, the
// first letter being the same, or "".
func (l *Lexicon) TwiceMisspelt(word string) string {
	best, found := 0.0, ""
	for w, worth := range l.worth {
		if worth < best || w[0] != word[0] || max(len(w), len(word))-min(len(w), len(word)) > 2 {
			continue
		}
		if (worth > best || w < found) && levenshtein.ComputeDistance(w, word) <= 2 {
			best, found = worth, w
		}
	}
	return found
}

// Edits calls yield with every word that differs from an ASCII word by one
// edit: two letters in turn, one missing, one too many, one replaced, an f for a ph.
// The first letter stays. A word with other letters has none. Yield must not keep what
// it gets.
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
		if w[i] == 'f' {
			with(i, "ph", w[i+1:])
		}
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

// Spelling is a word that a misspelt one may be meant for.
type Spelling struct {
	Word string
	// Worth is the most likely that the word, or a phrase with it, means something.
	Worth float64
	// Named is true of words of places, companies and schools, Foreign of those
	// that only titles of other languages have.
	Named, Foreign bool
}

// Spellings are all words of the lexicon, those of phrases included, and of the
// places that a misspelt word is taken for. They are in no order.
func (l *Lexicon) Spellings() []Spelling {
	found := make(map[string]Spelling, 1<<14)
	note := func(phrase string, worth float64, named, foreign bool) {
		part := strings.Contains(phrase, " ")
		for w := range strings.SplitSeq(phrase, " ") {
			s, known := found[w]
			s.Word = w
			s.Named = s.Named || named
			s.Foreign = foreign && (s.Foreign || !known)
			if part {
				worth = min(worth, worthPart)
			}
			s.Worth = max(s.Worth, worth)
			found[w] = s
		}
	}
	for phrase, list := range l.entries {
		for _, e := range list {
			if !e.needsCue {
				named := e.sense.Type == CompanyAlias || e.sense.Type == SchoolAlias || e.sense.Type == Nationality
				note(phrase, e.prior, named, l.foreign[phrase])
			}
		}
	}
	l.spellPlaces(note)
	out := make([]Spelling, 0, len(found))
	for _, s := range found {
		out = append(out, s)
	}
	return out
}

// spellPlaces notes the places that a misspelt word may mean.
func (l *Lexicon) spellPlaces(note func(phrase string, worth float64, named, foreign bool)) {
	for _, phrase := range analysis.PlaceKeys(knownMisspelt) {
		for _, s := range l.places(phrase) {
			if isKnownPlace(s, phrase) {
				note(phrase, s.Prior, true, false)
			}
		}
	}
}

// worthPart is how likely a word that only phrases have is meant at most.
const worthPart = 4

// isKnownPlace reports whether a place is known well enough to be meant by a misspelt word.
func isKnownPlace(s Sense, name string) bool {
	return !s.NeedsCue && (s.Type != City || s.Place.Population >= knownMisspelt) &&
		(s.Type != Metro || len(name) >= longArea)
}
