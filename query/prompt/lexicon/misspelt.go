package lexicon

import (
	"strings"

	"kith/query/gazetteer"
)

// worthForeign is the worth of a foreign title as a correction: less than of any other word.
const worthForeign = 0.5

// weighWords computes the worth of each single word.
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
// means something by itself. It is 0 for words without a meaning, for words that have one only beside others, and for
// names of cities that hardly anyone writes.
func (l *Lexicon) Worth(word string) float64 { return l.worth[word] }

// InFull returns the full words for an abbreviation (mgr), likeliest first, or nothing. Case
// matters: FE differs from fe. Do not change the slice.
func (l *Lexicon) InFull(word string) []string { return l.inFull[word] }

// longArea is the minimum number of letters of an area name as a correction: shorter names are near too many others.
const longArea = 7

// IsWord reports whether a word is a frequent one of English, and so no misspelling.
func (l *Lexicon) IsWord(word string) bool { return l.frequent.IsWord(word) }

// Spelling is a possible correction of a misspelt word.
type Spelling struct {
	Word string
	// Worth is the highest likelihood that the word, or a phrase with it, means something.
	Worth float64
	// Named is true for words of places, companies and schools, Foreign for words found only in titles of other
	// languages.
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
