package analysis

import (
	"slices"

	"kith"
)

// NamesakeKey is the first and the last word of a person's name, umlauts spelled out, by
// which records of one person are looked for; "" for a name of one word, which says too
// little.
func NamesakeKey(p kith.Person) string {
	tokens := namesakeTokens(p)
	if len(tokens) < 2 {
		return ""
	}
	return cut(tokens[0]+" "+tokens[len(tokens)-1], maxKey)
}

// NamesakeKeys are the keys that other records of a person may have: that of the name and
// those of its nicknames (Robert, Bob). A record whose key is among them has the key of
// this one among its own.
func NamesakeKeys(p kith.Person) []string {
	tokens := namesakeTokens(p)
	if len(tokens) < 2 {
		return nil
	}
	first, last := tokens[0], tokens[len(tokens)-1]
	keys := []string{cut(first+" "+last, maxKey)}
	for _, nick := range words().nicknames[first] {
		keys = append(keys, cut(nick+" "+last, maxKey))
	}
	return keys
}

func namesakeTokens(p kith.Person) []string { return NameTokens(umlautsSpelled(fullName(p))) }

// AreNicknames reports whether one word is a nickname of the other, or both are the same.
func AreNicknames(a, b string) bool { return a == b || slices.Contains(words().nicknames[a], b) }
