package analysis

import "strings"

// PlaceKey is the comparison form of a place name: its words, joined by spaces.
func PlaceKey(name string) string {
	return cut(strings.Join(Tokens(name), " "), maxKey)
}
