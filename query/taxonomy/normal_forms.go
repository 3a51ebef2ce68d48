package taxonomy

import (
	"embed"
	"strings"
	"sync"

	"kith/query/wordlist"
)

//go:embed data
var data embed.FS

// normalForms are the word lists of titles and degrees.
type normalForms struct {
	titles    expander
	degrees   expander
	functions functionTable
	// functionNames leads from other names of functions to their own.
	functionNames map[string]string

	promptDegrees, promptFunctions []Meaning
}

// wordForms returns the word lists. Parsing takes a few milliseconds, once; after that they never change.
var wordForms = sync.OnceValue(func() *normalForms {
	f := &normalForms{
		titles:        newExpander(wordlist.Lines(data, "title_words.tsv")),
		functionNames: map[string]string{},
	}
	f.degrees, f.promptDegrees = readDegrees(wordlist.Lines(data, "degrees.tsv"))
	f.functions, f.promptFunctions = readFunctions(f.titles, wordlist.Lines(data, "functions.tsv"))
	for _, line := range wordlist.Lines(data, "function_names.tsv") {
		function, names, _ := strings.Cut(line, "\t")
		for name := range strings.SplitSeq(names, "; ") {
			f.functionNames[name] = function
		}
	}
	return f
})
