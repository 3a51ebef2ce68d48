package lexicon

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"kith/query/gazetteer"
)

// worthForeign is the worth of a foreign title as a correction: less than of any other word.
const worthForeign = 0.5

// weighWords computes the worth of each single word, and the correct words without a meaning here.
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

// weighPlaces adds the one-word places that are plausible corrections.
func (l *Lexicon) weighPlaces(note func(word string, prior float64)) {
	for _, word := range gazetteer.PlaceKeys(knownMisspelt) {
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

// Worth returns the likelihood, in the scale of [Sense.Prior], that a word of [tokenizer.Tokens]
// means something by itself. scripts/lexicon uses it to choose the right words. It is 0 for words without a meaning,
// for words that have one only beside others, and for names of cities that hardly anyone writes.
func (l *Lexicon) Worth(word string) float64 { return l.worth[word] }

// InFull returns the full words for an abbreviation (mgr), likeliest first, or nothing. Case
// matters: FE differs from fe. Do not change the slice.
func (l *Lexicon) InFull(word string) []string { return l.inFull[word] }

// longArea is the minimum number of letters of an area name as a correction: shorter names are near too many others.
const longArea = 7

// IsWord reports whether a word without a meaning here is a frequent English word, and so no misspelling.
func (l *Lexicon) IsWord(word string) bool { return l.right[word] }

// LongWord is the minimum number of letters of a word with two misspellings.
const LongWord = 8

// TwiceMisspelt returns the likeliest word within two edits of a word and with the same first letter, or "".
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

// Edits calls yield with every word at one edit from an ASCII word: two letters transposed, one
// missing, one too many, one replaced, or f for ph. The first letter stays. Words with other
// characters have no edits. Yield must not keep its argument.
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

// Spelling is a possible correction of a misspelt word.
type Spelling struct {
	Word string
	// Worth is the highest likelihood that the word, or a phrase with it, means something.
	Worth float64
	// Named is true for words of places, companies and schools, Foreign for words found only in titles of other languages.
	Named, Foreign bool
}

// Spellings returns all words of the lexicon, including those of phrases, and of places that are
// plausible corrections. They are in no particular order.
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

// spellPlaces adds the places that are plausible corrections.
func (l *Lexicon) spellPlaces(note func(phrase string, worth float64, named, foreign bool)) {
	for _, phrase := range gazetteer.PlaceKeys(knownMisspelt) {
		for _, s := range l.places(phrase) {
			if isKnownPlace(s, phrase) {
				note(phrase, s.Prior, true, false)
			}
		}
	}
}

// worthPart is the maximum worth of a word found only in phrases.
const worthPart = 4

// isKnownPlace reports whether a place is known well enough to be a correction.
func isKnownPlace(s Sense, name string) bool {
	return !s.NeedsCue && (s.Type != City || s.Place.Population >= knownMisspelt) &&
		(s.Type != Metro || len(name) >= longArea)
}
