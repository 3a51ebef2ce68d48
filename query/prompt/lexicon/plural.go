package lexicon

import (
	"strings"

	"kith/query/prompt/words"
)

// plural returns the plural of a noun phrase in folded words, or "" if there is none. It inflects
// the word before "of", "in", "for" or "to" (directors of engineering), else the last word.
func plural(text string) string {
	phrase := strings.Fields(text)
	at := len(phrase) - 1
	for i := 1; i < len(phrase); i++ {
		if words.In(words.AfterNoun, phrase[i]) {
			at = i - 1
			break
		}
	}
	if at < 0 || phrase[at] == "" {
		return ""
	}
	phrase[at] = pluralWord(phrase[at])
	return strings.Join(phrase, " ")
}

func pluralWord(w string) string {
	if words.In(words.NoPlural, w) {
		return w
	}
	if irregular := words.Among(words.Plural, w); irregular != "" {
		return irregular
	}
	n := len(w)
	switch {
	case strings.HasSuffix(w, "man") && n > 4 && !words.In(words.NoMan, w):
		return w[:n-2] + "en"
	case strings.HasSuffix(w, "wife"):
		return w[:n-2] + "ves"
	case strings.HasSuffix(w, "y") && n > 2 && !strings.ContainsRune("aeiou", rune(w[n-2])):
		return w[:n-1] + "ies"
	case strings.HasSuffix(w, "tech"):
		return w + "s"
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "sh"):
		return w + "es"
	}
	return w + "s"
}
