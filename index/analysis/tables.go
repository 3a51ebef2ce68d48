package analysis

import (
	"embed"
	"strings"
	"sync"
)

//go:embed data
var data embed.FS

// tables are the word lists.
type tables struct {
	titles     expander
	degrees    expander
	legalForms legalForms
	functions  functionTable
	nicknames  map[string][]string
	honorifics map[string]bool
	// sharedSites are hosts with pages of many companies.
	sharedSites map[string]bool
	umlauts     *strings.Replacer // ä → ae
	withoutE    *strings.Replacer // ae → a
}

// words returns the word lists. Parsing takes a few milliseconds, once; after that they never change.
//
//nolint:gochecknoglobals // a memoised pure function, not state
var words = sync.OnceValue(func() *tables {
	t := &tables{
		titles:      newExpander(lines("title_words.tsv")),
		degrees:     newExpander(lines("degrees.tsv")),
		legalForms:  newLegalForms(lines("legal_forms.txt")),
		nicknames:   newNicknames(lines("nicknames.tsv")),
		honorifics:  newSet(lines("names_drop.txt")),
		sharedSites: newSet(lines("shared_sites.txt")),
		umlauts: strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue",
			"å", "aa", "Å", "Aa", "ø", "oe", "Ø", "Oe"),
		withoutE: strings.NewReplacer("ae", "a", "oe", "o", "ue", "u", "aa", "a"),
	}
	t.functions = newFunctionTable(t.titles, lines("functions.tsv"))
	return t
})

// lines returns the lines of an embedded list, without empty lines and comments.
func lines(name string) []string {
	text, err := data.ReadFile("data/" + name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

func newSet(entries []string) map[string]bool {
	set := make(map[string]bool, len(entries))
	for _, e := range entries {
		set[e] = true
	}
	return set
}
