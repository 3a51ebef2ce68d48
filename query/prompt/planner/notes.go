package planner

import (
	"embed"
	"strings"

	"kith/query/prompt/frame"
)

//go:embed data/notes.tsv data/general.tsv
var tables embed.FS

// readPairs reads a table with a name, a tab and a text on each line.
func readPairs(table string) map[string]string {
	text, err := tables.ReadFile("data/" + table)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	pairs := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(name, "#") {
			pairs[name] = value
		}
	}
	return pairs
}

// readGeneral reads the words that add nothing at the end of what a mark of a kind names.
func readGeneral() map[frame.Kind][]string {
	general := map[frame.Kind][]string{}
	for kind, words := range readPairs("general.tsv") {
		general[frame.Kind(kind)] = strings.Fields(words)
	}
	return general
}
