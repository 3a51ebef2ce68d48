package lexicon

import (
	"embed"
	"slices"
	"strings"

	"kith/index/analysis"
)

//go:embed data
var data embed.FS

// MaxWords is the most words of a span that has a sense.
const MaxWords = 6

// Lexicon holds the tables. It is safe for concurrent use.
type Lexicon struct {
	senses map[string][]Sense
	// placeWords are names of places that are first of all words, notPlaces
	// those that are never to be read as places.
	placeWords, notPlaces map[string]bool
	// heads are the nouns of titles by singular and plural, modifiers what may
	// stand before them.
	heads     map[string]string
	modifiers map[string]bool
}

// New reads the tables. Build it once; it takes some 30 ms, and the gazetteer
// of package analysis as long again where nothing has read it before.
func New() *Lexicon {
	l := &Lexicon{
		senses: make(map[string][]Sense, 1<<15), placeWords: map[string]bool{}, notPlaces: map[string]bool{},
		heads: map[string]string{}, modifiers: map[string]bool{},
	}
	l.readWordsThatArePlaces()
	l.readTitles()
	l.readCompanies()
	l.readPeople()
	l.readGrammar()
	l.readPlaces()
	return l
}

// Senses returns what a span of up to [MaxWords] words can mean, the likeliest
// first, or nothing. The words are those of [analysis.Tokens]. The slice is the
// caller's, what is in it is not.
func (l *Lexicon) Senses(tokens []string) []Sense {
	if len(tokens) == 0 || len(tokens) > MaxWords {
		return nil
	}
	key := strings.Join(tokens, " ")
	listed := l.senses[key]
	all := slices.Concat(listed, l.places(key))
	if !hasTitle(listed) {
		all = append(all, l.titleByRule(tokens)...)
	}
	slices.SortStableFunc(all, func(a, b Sense) int {
		switch {
		case a.Prior > b.Prior:
			return -1
		case a.Prior < b.Prior:
			return 1
		}
		return 0
	})
	return all
}

func hasTitle(senses []Sense) bool {
	return slices.ContainsFunc(senses, func(s Sense) bool { return s.Type == Role || s.Type == CRole || s.Type == Founder })
}

// add puts a sense under a form, once for each type and name.
func (l *Lexicon) add(form string, s Sense) {
	key := analysis.PlaceKey(form)
	if key == "" || strings.Count(key, " ") >= MaxWords {
		return
	}
	for i, known := range l.senses[key] {
		if known.Type == s.Type && (known.Name == s.Name || s.Type == Filler) {
			if known.NeedsCue && !s.NeedsCue {
				l.senses[key][i] = s
			}
			return
		}
	}
	l.senses[key] = append(l.senses[key], s)
}
