package grammar

import (
	"slices"
	"strings"
	"unicode"

	"kith/query/prompt/phrase"
	"kith/query/tokenizer"
)

// Language holds the content of a file such as de.classes: the word classes of a language, which
// replace those of the base, and its word formation.
type Language struct {
	Code string
	// Classes are the classes of phrases of folded words. An empty list removes the phrase from all classes.
	Classes map[string][]Symbol
	// Words identify the language: the words of the phrases, and others.
	Words map[string]bool
	// Letters are letters that only few languages use.
	Letters map[rune]bool
	// Says maps phrases for numbers and times to English.
	Says map[string]string
	// Elided are words that lose their vowel before another word: l', dell'.
	Elided map[string]bool
	// Gendered are endings after a gender mark: Lehrer:innen.
	Gendered map[string]bool
	// CapitalNouns is true if nouns are capitalised, so that capitals do not indicate names.
	CapitalNouns bool
	// Endings are inflected endings, longest first, each with the ending of a form that tables may contain.
	Endings []Ending
}

// Ending is a word ending and its replacement.
type Ending struct{ From, To string }

// language parses the classes file of a language.
func (g *Grammar) language(code, text string) *Language {
	l := &Language{
		Code: code, Classes: map[string][]Symbol{}, Words: map[string]bool{}, Letters: map[rune]bool{},
		Says: map[string]string{}, Elided: map[string]bool{}, Gendered: map[string]bool{},
	}
	for heading, text := range phrase.Table(text) {
		l.read(g, heading, text)
	}
	slices.SortStableFunc(l.Endings, func(a, b Ending) int { return len(b.From) - len(a.From) })
	return l
}

// read parses one phrase under a heading: a class, or a section about the words of the language.
func (l *Language) read(g *Grammar, heading, text string) {
	words := Fold(text)
	section, of, _ := strings.Cut(heading, " ")
	switch section {
	case "ending":
		if of = strings.TrimPrefix(of, "-"); of == "0" {
			of = ""
		}
		l.Endings = append(l.Endings, Ending{From: words, To: tokenizer.Fold(of)})
		return
	case "letters":
		for _, r := range text {
			l.Letters[r] = true
		}
		return
	case "gender":
		l.Gendered[words] = true
		return
	case "none":
		l.Classes[words] = nil
		return
	case "nouns":
		l.CapitalNouns = true
		return
	}
	for w := range strings.SplitSeq(words, " ") {
		l.Words[w] = true
	}
	switch section {
	case "words":
	case "elided":
		l.Elided[words] = true
	case "says":
		l.Says[words] = of
	default:
		l.Classes[words] = append(l.Classes[words], g.Symbol(className(heading)))
	}
}

// className returns the symbol name of a heading: a category if it begins with a capital, else a class.
func className(heading string) string {
	if heading[0] >= 'A' && heading[0] <= 'Z' {
		return heading
	}
	return strings.ToUpper(heading)
}

// Fold converts a phrase to the words of a prompt: folded, with elided words separate. Marks stay.
func Fold(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("'’-", r) })
	for i, w := range words {
		if folded := strings.Join(tokenizer.Tokens(w), ""); folded != "" {
			words[i] = folded
		}
	}
	return strings.Join(words, " ")
}
