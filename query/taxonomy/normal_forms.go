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
	// functionNames and levelNames lead from other names of functions and levels to their own.
	functionNames, levelNames map[string]string

	promptDegrees, promptFunctions []Meaning
}

// wordForms returns the word lists. Parsing takes a few milliseconds, once; after that they never change.
var wordForms = sync.OnceValue(func() *normalForms {
	f := &normalForms{
		titles:        newExpander(wordlist.Lines(data, "title_words.tsv")),
		functionNames: readNames("function_names.tsv"),
		levelNames:    readNames("seniority_names.tsv"),
	}
	f.degrees, f.promptDegrees = readDegrees(wordlist.Lines(data, "degrees.tsv"))
	f.functions, f.promptFunctions = readFunctions(f.titles, wordlist.Lines(data, "functions.tsv"))
	return f
})

// readNames reads lines of a value, a tab and its other names.
func readNames(table string) map[string]string {
	values := map[string]string{}
	for _, line := range wordlist.Lines(data, table) {
		value, names, _ := strings.Cut(line, "\t")
		for name := range strings.SplitSeq(names, "; ") {
			values[name] = value
		}
	}
	return values
}
