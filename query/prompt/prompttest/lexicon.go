package prompttest

import (
	"sync"

	"kith/query/prompt/lexicon"
)

//nolint:gochecknoglobals // with the race detector a lexicon takes half a second to read, and a test of a planner some milliseconds
var shared = sync.OnceValue(lexicon.New)

// Lexicon returns the words of prompts, read once for all tests of a binary.
func Lexicon() *lexicon.Lexicon { return shared() }
