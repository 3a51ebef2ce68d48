package lexicon

import (
	"maps"
	"slices"
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
	isPhrase := func(name string) bool { return strings.Contains(name, " ") }
	l.knownPlaces(slices.DeleteFunc(gazetteer.PlaceKeys(knownMisspelt), isPhrase), note)
	l.inFull = map[string][]string{}
	for _, r := range rows("shorthand.tsv") {
		for _, short := range r.list(0) {
			l.inFull[short] = r.list(1)
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
	l.knownPlaces(gazetteer.PlaceKeys(knownMisspelt), func(name string, prior float64) {
		note(name, prior, true, false)
	})
	return slices.Collect(maps.Values(found))
}

// knownPlaces calls yield for the names of places that are known well enough to be corrections.
func (l *Lexicon) knownPlaces(names []string, yield func(name string, prior float64)) {
	for _, name := range names {
		for _, s := range l.places(name) {
			if isKnownPlace(s, name) {
				yield(name, s.Prior)
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
