package prompttest

import (
	"sync"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/planner"
)

//nolint:gochecknoglobals // with the race detector a lexicon takes half a second to read, and a test of a planner some milliseconds
var (
	words = sync.OnceValue(lexicon.New)
	plain = sync.OnceValue(func() *planner.Planner { return planner.New(words(), nil) })
)

// Lexicon returns the words of prompts, read once for all tests of a binary.
func Lexicon() *lexicon.Lexicon { return words() }

// Planner returns a planner without a vocabulary, made once like its lexicon: its first correction of a spelling
// takes another half second.
func Planner() *planner.Planner { return plain() }
