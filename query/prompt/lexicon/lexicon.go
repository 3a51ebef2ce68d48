package lexicon

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"kith/query/gazetteer"
	"kith/query/tokenizer"
	"kith/query/wordpiece"
)

//go:embed data
var data embed.FS

// MaxWords is the maximum number of words of a span with a sense.
const MaxWords = 6

// Lexicon holds the tables. It is safe for concurrent use.
type Lexicon struct {
	entries map[string][]entry
	// placeWords are place names that are primarily ordinary words; notPlaces are never read as places.
	placeWords, notPlaces map[string]bool
	titles                titleRules
	// worth is the likelihood of each single word to mean something, without a cue.
	worth map[string]float64
	// frequent has the words that are no misspellings.
	frequent *wordpiece.Vocabulary
	// foreign are the titles of other languages.
	foreign map[string]bool
	// further are foreign titles that [Lexicon.Worth] does not offer as corrections.
	further map[string]bool
	// inFull maps abbreviations to their full words.
	inFull     map[string][]string
	dictionary dictionary
}

// entry is a sense under one spelling.
type entry struct {
	sense    *Sense
	prior    float64
	needsCue bool
}

// New reads the tables. Call it once: it takes about 0.1 s and 10 MB, and package gazetteer the same
// again if not yet loaded.
func New() *Lexicon {
	l := &Lexicon{
		frequent: wordpiece.New(),
		entries:  make(map[string][]entry, 1<<15), placeWords: map[string]bool{}, notPlaces: map[string]bool{},
		titles: newTitleRules(), foreign: map[string]bool{},
		further: map[string]bool{}, dictionary: readDictionary(),
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

// Senses returns the possible meanings of a span of up to [MaxWords] words, likeliest first. The words
// are those of [tokenizer.Tokens]. The caller owns the slice, but not what its elements refer to.
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
		if s, ok := l.Expert(tokens); ok {
			all = append(all, s)
		} else {
			all = append(all, l.titles.read(tokens)...)
		}
	}
	if len(tokens) > 1 && !hasFunction {
		all = append(all, l.functionTeam(tokens)...)
	}
	slices.SortStableFunc(all, func(a, b Sense) int { return cmp.Compare(b.Prior, a.Prior) })
	return all
}

// add adds a sense under a spelling, once for each type and name. A spelling that needs no cue wins.
func (l *Lexicon) add(spelling string, s *Sense, prior float64, needsCue bool) {
	key := gazetteer.PlaceKey(spelling)
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

// addNoun adds a spelling, its variants and their plurals.
func (l *Lexicon) addNoun(spelling string, s *Sense, prior float64, needsCue bool) {
	for _, v := range variants(tokenizer.Fold(spelling)) {
		l.add(v, s, prior, needsCue)
		if p := plural(v); p != "" {
			l.add(p, s, prior, needsCue)
		}
	}
}

// addWord adds a spelling and its variants.
func (l *Lexicon) addWord(spelling string, s *Sense, prior float64, needsCue bool) {
	for _, v := range variants(tokenizer.Fold(spelling)) {
		l.add(v, s, prior, needsCue)
	}
}

// identifier returns a text in the form of a sense's name.
func identifier(text string) string { return strings.Join(tokenizer.Tokens(text), "_") }
