package grammar

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query/prompt/phrase"
)

// Language is what a file such as de.classes says of one language: its word
// classes, which take the place of those of the base, and how its words are made.
type Language struct {
	Code string
	// Classes are the classes of phrases of folded words. A phrase with an empty
	// list is none of any class.
	Classes map[string][]Symbol
	// Words tell the language: those of the phrases, and others.
	Words map[string]bool
	// Letters are those that only few languages have.
	Letters map[rune]bool
	// Says are phrases of numbers and times with what they are in English.
	Says map[string]string
	// Elided are the words that lose their vowel before another: l', dell'.
	Elided map[string]bool
	// Gendered are what stands after a mark for the other gender: Lehrer:innen.
	Gendered map[string]bool
	// CapitalNouns is true where nouns have a capital, so that it tells no names.
	CapitalNouns bool
	// Endings are those of inflected words, each with that of a form of the word
	// that a table may have, the longest first.
	Endings []Ending
}

// Ending is an ending of a word and one to put in its place.
type Ending struct{ From, To string }

// Marks of the sections of a language that are no classes.
const (
	sectionWords   = "words"
	sectionNone    = "none"
	sectionLetters = "letters"
	sectionElided  = "elided"
	sectionGender  = "gender"
	sectionNouns   = "nouns"
	sectionSays    = "says "
	sectionEnding  = "ending "
)

// language reads the classes of a language.
func (g *Grammar) language(code, text string) *Language {
	l := &Language{
		Code: code, Classes: map[string][]Symbol{}, Words: map[string]bool{}, Letters: map[rune]bool{},
		Says: map[string]string{}, Elided: map[string]bool{}, Gendered: map[string]bool{},
	}
	for heading, said := range phrase.Table(text) {
		l.read(g, heading, said)
	}
	slices.SortStableFunc(l.Endings, func(a, b Ending) int { return len(b.From) - len(a.From) })
	return l
}

// read reads one phrase below a heading.
func (l *Language) read(g *Grammar, heading, said string) {
	words := Fold(said)
	if ending, ok := strings.CutPrefix(heading, sectionEnding); ok {
		if ending = strings.TrimPrefix(ending, "-"); ending == "0" {
			ending = ""
		}
		l.Endings = append(l.Endings, Ending{From: words, To: analysis.Fold(ending)})
		return
	}
	switch heading {
	case sectionLetters:
		for _, r := range said {
			l.Letters[r] = true
		}
		return
	case sectionGender:
		l.Gendered[words] = true
		return
	case sectionElided:
		l.Elided[words] = true
	}
	if heading == sectionNone {
		l.Classes[words] = nil
		return
	}
	if heading == sectionNouns {
		l.CapitalNouns = true
		return
	}
	for w := range strings.SplitSeq(words, " ") {
		l.Words[w] = true
	}
	if english, ok := strings.CutPrefix(heading, sectionSays); ok {
		l.Says[words] = english
		return
	}
	switch heading {
	case sectionWords, sectionElided:
	default:
		l.Classes[words] = append(l.Classes[words], g.Symbol(className(heading)))
	}
}

// className is the symbol of a heading: the category where it begins with a
// capital, else a class.
func className(heading string) string {
	if heading[0] >= 'A' && heading[0] <= 'Z' {
		return heading
	}
	return strings.ToUpper(heading)
}

// Fold writes a phrase as the words of a prompt are: folded, an elided word by
// itself. Marks stay.
func Fold(said string) string {
	said = strings.NewReplacer("'", " ", "’", " ", "-", " ").Replace(said)
	words := strings.Fields(said)
	for i, w := range words {
		if folded := strings.Join(analysis.Tokens(w), ""); folded != "" {
			words[i] = folded
		}
	}
	return strings.Join(words, " ")
}
