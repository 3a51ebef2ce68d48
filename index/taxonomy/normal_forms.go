package taxonomy

import (
	"embed"
	"sync"

	"kith/index/wordlist"
)

//go:embed data
var data embed.FS

// normalForms are the word lists of titles and degrees.
type normalForms struct {
	titles    expander
	degrees   expander
	functions functionTable

	promptDegrees, promptFunctions []Meaning
}

// wordForms returns the word lists. Parsing takes a few milliseconds, once; after that they never change.
//
//nolint:gochecknoglobals // a memoised pure function, not state
var wordForms = sync.OnceValue(func() *normalForms {
	f := &normalForms{
		titles: newExpander(wordlist.Lines(data, "title_words.tsv")),
	}
	f.degrees, f.promptDegrees = readDegrees(wordlist.Lines(data, "degrees.tsv"))
	f.functions, f.promptFunctions = readFunctions(f.titles, wordlist.Lines(data, "functions.tsv"))
	return f
})
