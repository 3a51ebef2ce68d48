package analysis

import (
	"slices"

	"kith"
	"kith/query/tokenizer"
)

// NamesakeKeys returns the keys of other records of a person: the first and last word of the name, with umlauts spelled
// out, and the same with nicknames (Robert, Bob). A name of one word says too little and has none. The relation is
// symmetric: if A's key is among B's keys, B's is among A's.
func NamesakeKeys(p kith.Person) []string {
	tokens := NameTokens(umlautsSpelled(fullName(p)))
	if len(tokens) < 2 {
		return nil
	}
	first, last := tokens[0], tokens[len(tokens)-1]
	keys := []string{tokenizer.Cut(first+" "+last, tokenizer.MaxKey)}
	for _, nick := range words().nicknames[first] {
		keys = append(keys, tokenizer.Cut(nick+" "+last, tokenizer.MaxKey))
	}
	return keys
}

// AreNicknames reports whether two words are equal or one is a nickname of the other.
func AreNicknames(a, b string) bool { return a == b || slices.Contains(words().nicknames[a], b) }
