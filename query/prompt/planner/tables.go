package planner

import (
	"embed"
	"strings"
	"sync"

	"kith/query"
	"kith/query/prompt/frame"
	"kith/query/prompt/lexicon"
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

// columns are those of a line, each a list of words; "-" is an empty list.
type columns []string

func (c columns) list(i int) []string {
	if i < len(c) && c[i] != "-" {
		return strings.Fields(c[i])
	}
	return nil
}

// kindTable is kinds.tsv: how the words of each kind are looked up, and which kind the words of filters are, other than
// of places.
type kindTable struct {
	wordings map[frame.Kind]wording
	ofFilter map[query.FilterName]frame.Kind
}

// wording says how the words of a kind are looked up.
type wording struct {
	filter     query.FilterName // for words that no table knows
	tagged     string           // category of a reading that only a tagger has, or "-"
	categories []string         // of the phrases that can be the words, in the order of preference
	general    []string         // words that add nothing at the end
}

var kindRows = sync.OnceValue(func() kindTable {
	t := kindTable{map[frame.Kind]wording{}, map[query.FilterName]frame.Kind{}}
	for _, line := range wordlist.Lines(tables, "kinds.tsv") {
		c := columns(strings.Split(line, "\t"))
		t.wordings[frame.Kind(c[0])] = wording{query.FilterName(c[2]), c[3], c.list(4), c.list(5)}
		for _, filter := range c.list(1) {
			t.ofFilter[query.FilterName(filter)] = frame.Kind(c[0])
		}
	}
	return t
})

// leafTable is leaves.tsv: the category of each type of the lexicon, and the kinds of marks that the words of a reading
// may be in, by its category.
type leafTable struct {
	categories map[lexicon.Type]string
	tags       map[string][]frame.Kind
}

var leafRows = sync.OnceValue(func() leafTable {
	t := leafTable{map[lexicon.Type]string{}, map[string][]frame.Kind{}}
	for _, line := range wordlist.Lines(tables, "leaves.tsv") {
		c := columns(strings.Split(line, "\t"))
		for _, of := range c.list(1) {
			t.categories[lexicon.Type(of)] = c[0]
		}
		for _, kind := range c.list(2) {
			t.tags[c[0]] = append(t.tags[c[0]], frame.Kind(strings.TrimPrefix(kind, "nothing")))
		}
	}
	return t
})
