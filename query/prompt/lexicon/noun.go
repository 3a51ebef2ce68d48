package lexicon

import (
	"slices"
	"strings"

	"kith/query/prompt/words"
	"kith/query/tokenizer"
)

// nounClass returns the class of a title's noun: titles of one class in the same field mean the
// same. It is "" for a title without such a noun.
func nounClass(title string) string {
	words := tokenizer.Tokens(title)
	if i := slices.Index(words, "of"); i > 0 {
		words = words[:i]
	}
	if len(words) == 0 {
		return ""
	}
	class := classOf(words[len(words)-1])
	if class == "" { // Manager, Payroll
		class = classOf(words[0])
	}
	return class
}

func classOf(noun string) string {
	return words.Among(words.NounClass, strings.TrimSuffix(noun, "s"))
}

// sameNoun reports whether a title's noun class is compatible with another: equal, none (a
// sysadmin), or a specialist for a marketer.
func sameNoun(class, other string) bool {
	return class == other || class == "" || other == "" || class == "marketer" && other == "specialist"
}

// maxInversions is the maximum number of phrases that also match in the order "Engineer, Backend".
const maxInversions = 3

func withInversions(phrases []string) []string {
	out := slices.Clone(phrases)
	for _, p := range phrases[:min(len(phrases), maxInversions)] {
		if inv := inverted(strings.Fields(strings.Trim(p, `"`))); inv != nil && !slices.Contains(out, quoted(inv)) {
			out = append(out, quoted(inv))
		}
	}
	return out
}

// inverted turns "backend engineer" into "engineer backend", the normal form of "Engineer,
// Backend". It returns nil if the meaning would change.
func inverted(title []string) []string {
	for _, known := range words.All(words.TitlesBeforeComma) {
		base := strings.Fields(known)
		n := len(title) - len(base)
		if n > 0 && slices.Equal(title[n:], base) {
			if base[0] == "manager" && title[n-1] == "product" { // Manager, Product Marketing
				return nil
			}
			return append(slices.Clone(base), title[:n]...)
		}
	}
	return nil
}
