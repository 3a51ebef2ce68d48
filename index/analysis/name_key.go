package analysis

import (
	"slices"

	"kith"
	"kith/index/tokenizer"
)

// NamesakeKey is the first and last word of a person's name, with umlauts spelled out. It finds other records of the
// same person. It is "" for a name of one word, which says too little.
func NamesakeKey(p kith.Person) string {
	tokens := namesakeTokens(p)
	if len(tokens) < 2 {
		return ""
	}
	return tokenizer.Cut(tokens[0]+" "+tokens[len(tokens)-1], tokenizer.MaxKey)
}

// NamesakeKeys returns the keys that other records of a person may have: for the name and its nicknames (Robert,
// Bob). The relation is symmetric: if A's key is among B's keys, B's is among A's.
func NamesakeKeys(p kith.Person) []string {
	tokens := namesakeTokens(p)
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

func namesakeTokens(p kith.Person) []string { return NameTokens(umlautsSpelled(fullName(p))) }

// AreNicknames reports whether two words are equal or one is a nickname of the other.
func AreNicknames(a, b string) bool { return a == b || slices.Contains(words().nicknames[a], b) }
