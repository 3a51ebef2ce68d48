package gazetteer

import (
	"strings"

	"kith/query/tokenizer"
)

// PlaceKey is the comparison form of a place name: its words, joined by spaces.
func PlaceKey(name string) string {
	return tokenizer.Cut(strings.Join(tokenizer.Tokens(name), " "), tokenizer.MaxKey)
}
