package grammar

import (
	"slices"
	"strings"

	"kith/query/prompt/phrase"
)

// Classes are the word classes of phrases, as patterns by the first two words of their phrases: some thousand patterns
// have half a million phrases.
type Classes map[string][]*classPattern

// classPattern is a pattern of the phrases of a class.
type classPattern struct {
	pattern phrase.Pattern
	class   Symbol
}

// start returns the first two words of a phrase.
func start(words string) string {
	if first := strings.IndexByte(words, ' '); first >= 0 {
		if second := strings.IndexByte(words[first+1:], ' '); second >= 0 {
			return words[:first+1+second]
		}
	}
	return words
}

// add adds the phrases of a pattern to a class.
func (c Classes) add(pattern phrase.Pattern, class Symbol) {
	c.addBelow("", pattern, &classPattern{pattern, class})
}

// addBelow adds a pattern whose phrases begin with some words and continue with the rest of it.
func (c Classes) addBelow(begun string, rest phrase.Pattern, p *classPattern) {
	if len(rest) > 0 && !strings.Contains(begun, " ") {
		for _, choice := range rest[0] {
			c.addBelow(phrase.Join(begun, choice), rest[1:], p)
		}
		return
	}
	key := start(begun)
	if n := len(c[key]); n == 0 || c[key][n-1] != p {
		c[key] = append(c[key], p)
	}
}

// Of returns the classes of a phrase, in the order of the files.
func (c Classes) Of(words string) (classes []Symbol) {
	for _, p := range c[start(words)] {
		if !slices.Contains(classes, p.class) && p.pattern.Matches(words) {
			classes = append(classes, p.class)
		}
	}
	return classes
}

// Words returns the words of all phrases, except of those in without.
func (c Classes) Words(without map[string][]Symbol) map[string]bool {
	words := map[string]bool{}
	for _, patterns := range c {
		for _, p := range patterns {
			addWords(words, p.pattern, without)
		}
	}
	return words
}

// addWords adds the words of a pattern that are in another phrase than those in without.
func addWords(words map[string]bool, p phrase.Pattern, without map[string][]Symbol) {
	for i, choices := range p {
		for _, choice := range choices {
			added := strings.Split(choice, " ")
			if !slices.ContainsFunc(added, func(w string) bool { return !words[w] }) {
				continue
			}
			chosen := slices.Clone(p)
			chosen[i] = []string{choice}
			for text := range chosen.Phrases() {
				if _, is := without[text]; !is {
					for _, w := range added {
						words[w] = true
					}
					break
				}
			}
		}
	}
}
