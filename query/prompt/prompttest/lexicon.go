package prompttest

import (
	"sync"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/planner"
)

// words is shared, because with the race detector a lexicon takes half a second to read.
var words = sync.OnceValue(lexicon.New)

// plain is shared, because its first correction takes another half second.
var plain = sync.OnceValue(func() *planner.Planner { return planner.New(words(), nil) })

// Lexicon returns the words of prompts, read once for all tests of a binary.
func Lexicon() *lexicon.Lexicon { return words() }

// Planner returns a planner without a vocabulary, made once like its lexicon.
func Planner() *planner.Planner { return plain() }
