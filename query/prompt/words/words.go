// Package words holds word lists of the planner that are not looked up as phrases and therefore are
// in no table of the lexicon. The lists are data, in lists.txt.
package words

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kith/query/prompt/phrase"
)

//go:embed lists.txt
var text string

// List is the heading of a list or, for [Among], the common prefix of several headings.
type List string

// The lists, and the prefixes of lists.
const (
	// SpokenMark is the prefix of the dictated forms of punctuation marks.
	SpokenMark        List = "mark "
	Units             List = "units"
	Abbreviations     List = "abbreviations"
	HostEndings       List = "endings of hosts"
	GoesOn            List = "words that a line goes on after"
	PlaceParts        List = "parts of places"
	AroundPlace       List = "words before a place for what lies around"
	Counties          List = "words after the name of a county"
	NoCountries       List = "no countries"
	LevelsBefore      List = "levels before a title"
	BeforeLetter      List = "words before a letter"
	PlaceAreas        List = "words after a place for what lies around"
	PlacePartsOf      List = "parts of places before of"
	PlacePartNouns    List = "nouns after a part of a place"
	CountryShorts     List = "short names of countries"
	CountryCodes      List = "codes of countries"
	KnownStates       List = "countries whose states are known"
	StateCodes        List = "countries whose states go by their codes"
	StatesWellKnown   List = "countries whose states are well known"
	TitlesBeforeComma List = "titles that stand before a comma"
	OneWordOrTwo      List = "written in one word or in two"
	AfterNoun         List = "words after a noun"
	Of                List = "before what something is made of"
	OfWhat            List = "before what a trade is for"
	NoPlural          List = "nouns without a plural"
	Plural            List = "plural "
	YearBeginnings    List = "beginnings of years"
	HiringNouns       List = "nouns of hiring"
	RanksBefore       List = "ranks before a title"
	NoMan             List = "no compounds of man"
	FunctionsFirst    List = "functions before industries"
	Experts           List = "experts"
	FunctionNouns     List = "nouns after a function" // for everyone in it: the finance team
	BeforeLanguage    List = "words before a language"
	AfterLanguage     List = "words after a language"
	// OccupationEndings is the prefix of the lists of endings of nouns for people; the language code follows.
	OccupationEndings List = "endings of occupations "
	NounClass         List = "noun "
	// ForeignLinks are articles, prepositions and conjunctions of the languages of the dictionary.
	ForeignLinks List = "links in other languages"
)

// In reports whether a word is in a list.
func In(list List, word string) bool { return slices.Contains(lists().of[word], list) }

// All returns the words of a list, in order. Do not change the slice.
func All(list List) []string { return lists().order[list] }

// Among returns the rest of the heading, after the prefix, of the list that contains the word, or "".
func Among(prefix List, word string) string {
	for _, list := range lists().of[word] {
		if rest, ok := strings.CutPrefix(string(list), string(prefix)); ok {
			return rest
		}
	}
	return ""
}

type tables struct {
	order map[List][]string
	of    map[string][]List
}

// lists parses the lists once.
var lists = sync.OnceValue(func() tables {
	t := tables{order: map[List][]string{}, of: map[string][]List{}}
	for heading, word := range phrase.Table(text) {
		list := List(heading)
		t.order[list] = append(t.order[list], word)
		t.of[word] = append(t.of[word], list)
	}
	return t
})
