package lexicon

import (
	"cmp"
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
	entries map[string][]entry
	// placeWords are names of places that are first of all words, notPlaces
	// those that are never to be read as places.
	placeWords, notPlaces map[string]bool
	titles                titleRules
	// functionNouns make all who work in a function of its name: the finance team.
	functionNouns map[string]bool
	// worth is how likely each single word means something, without a cue.
	worth map[string]float64
	// right are words that mean nothing here and are no misspellings.
	right map[string]bool
	// foreign are the titles of other languages.
	foreign map[string]bool
	// further are those of them that no misspelt word is taken for by [Lexicon.Worth].
	further map[string]bool
	// inFull are the words that others are short for.
	inFull map[string][]string
}

// entry is a sense as one spelling has it.
type entry struct {
	sense    *Sense
	prior    float64
	needsCue bool
}

// New reads the tables. Build it once: it takes some 0.1 s and 10 MB, and the
// gazetteer of package analysis as long again where nothing has read it before.
func New() *Lexicon {
	l := &Lexicon{
		entries: make(map[string][]entry, 1<<15), placeWords: map[string]bool{}, notPlaces: map[string]bool{},
		titles: newTitleRules(), functionNouns: map[string]bool{}, foreign: map[string]bool{}, further: map[string]bool{},
	}
	l.readWordsThatArePlaces()
	l.readTitles()
	l.readCompanies()
	l.readPeople()
	l.readGrammar()
	l.readNationalities()
	l.readForeignWords()
	l.weighWords()
	return l
}

// Senses returns what a span of up to [MaxWords] words can mean, the likeliest
// first, or nothing. The words are those of [analysis.Tokens]. The slice is the
// caller's, what is in it is not.
func (l *Lexicon) Senses(tokens []string) []Sense {
	if len(tokens) == 0 || len(tokens) > MaxWords {
		return nil
	}
	key := tokens[0]
	if len(tokens) > 1 {
		key = strings.Join(tokens, " ")
	}
	var all []Sense
	hasTitle, hasFunction := false, false
	for _, e := range l.entries[key] {
		s := *e.sense
		s.Prior, s.NeedsCue = e.prior, e.needsCue
		all = append(all, s)
		hasTitle = hasTitle || s.Type == Role || s.Type == CRole || s.Type == Founder || s.Type == Leader
		hasFunction = hasFunction || s.Type == Function
	}
	all = append(all, l.places(key)...)
	if len(tokens) > 1 && !hasTitle {
		if s, ok := l.expert(tokens); ok {
			all = append(all, s)
		} else {
			all = append(all, l.titles.read(tokens)...)
		}
	}
	if len(tokens) > 1 && !hasFunction {
		all = append(all, l.functionBehind(tokens)...)
	}
	slices.SortStableFunc(all, func(a, b Sense) int { return cmp.Compare(b.Prior, a.Prior) })
	return all
}

// add puts a sense under a spelling, once for each type and name; the spelling
// that needs no cue wins.
func (l *Lexicon) add(spelling string, s *Sense, prior float64, needsCue bool) {
	key := analysis.PlaceKey(spelling)
	if key == "" || strings.Count(key, " ") >= MaxWords {
		return
	}
	list := l.entries[key]
	for i, known := range list {
		if known.sense.Type == s.Type && known.sense.Name == s.Name {
			if known.needsCue && !needsCue {
				list[i] = entry{s, prior, false}
			}
			return
		}
	}
	l.entries[key] = append(list, entry{s, prior, needsCue})
}

// addNoun adds a spelling, its variants and the plurals of all.
func (l *Lexicon) addNoun(spelling string, s *Sense, prior float64, needsCue bool) {
	for _, v := range variants(analysis.Fold(spelling)) {
		l.add(v, s, prior, needsCue)
		if p := plural(v); p != "" {
			l.add(p, s, prior, needsCue)
		}
	}
}

// addWord adds a spelling and its variants.
func (l *Lexicon) addWord(spelling string, s *Sense, prior float64, needsCue bool) {
	for _, v := range variants(analysis.Fold(spelling)) {
		l.add(v, s, prior, needsCue)
	}
}

// identifier is a text as the name of a sense.
func identifier(text string) string { return strings.Join(analysis.Tokens(text), "_") }
