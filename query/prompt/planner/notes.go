package planner

import (
	"embed"
	"strings"

	"kith/query/wordlist"
)

//go:embed data
var tables embed.FS

// readPairs reads a table with a name, a tab and a text on each line.
func readPairs(table string) map[string]string {
	pairs := map[string]string{}
	for _, line := range wordlist.Lines(tables, table) {
		name, value, _ := strings.Cut(line, "\t")
		pairs[name] = value
	}
	return pairs
}
