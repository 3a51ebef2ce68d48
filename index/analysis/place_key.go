package analysis

import "strings"

// PlaceKey is the form in which names of places are compared: the words of the
// name, joined by spaces.
func PlaceKey(name string) string {
	return cut(strings.Join(Tokens(name), " "), maxKey)
}
