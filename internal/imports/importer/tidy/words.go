package tidy

import (
	"embed"
	"strconv"
	"strings"
	"sync"

	"kith/query/tokenizer"
)

//go:embed data
var data embed.FS

// tables are the word lists.
type tables struct {
	prefixes, particles, nobody, pronouns, noAddresses map[string]bool
	// postnominals and nothing map to true if the word is also a name.
	postnominals, nothing map[string]bool
	suffixes              map[string]string
	// placeNames maps names in the gazetteer to common English names.
	placeNames map[string]string
	months     map[string]int
	present    map[string]bool
	cased      map[string]string
	machines   []string
}

// words returns the lists. They are parsed once and never written again.
var words = sync.OnceValue(func() *tables {
	t := &tables{
		prefixes: set("prefixes.txt"), particles: set("particles.txt"), nobody: set("nobody.txt"),
		pronouns: set("pronouns.txt"), present: set("present.txt"), noAddresses: set("no_addresses.txt"),
		machines:     lines("machines.txt"),
		postnominals: readMarked("postnominals.txt"), nothing: readMarked("nothing.txt"),
		suffixes: map[string]string{}, placeNames: map[string]string{}, months: map[string]int{},
		cased: map[string]string{},
	}
	for _, line := range lines("suffixes.tsv") {
		from, to, _ := strings.Cut(line, "\t")
		t.suffixes[from] = to
	}
	for _, line := range lines("place_names.tsv") {
		from, to, _ := strings.Cut(line, "\t")
		t.placeNames[from] = to
	}
	for _, line := range lines("months.tsv") {
		number, names, _ := strings.Cut(line, "\t")
		month, _ := strconv.Atoi(number)
		for name := range strings.SplitSeq(names, "; ") {
			t.months[tokenizer.Fold(name)] = month
		}
	}
	for _, word := range lines("cased_words.txt") {
		t.cased[strings.ToLower(word)] = word
	}
	return t
})

// lines returns the lines of a list, without empty lines and comments.
func lines(name string) []string {
	text, err := data.ReadFile("data/" + name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, line)
		}
	}
	return out
}

func set(name string) map[string]bool {
	all := map[string]bool{}
	for _, line := range lines(name) {
		all[line] = true
	}
	return all
}

// readMarked reads a list whose entries may end with an exclamation mark.
func readMarked(name string) map[string]bool {
	all := map[string]bool{}
	for _, line := range lines(name) {
		text, mark := strings.CutSuffix(line, "!")
		all[text] = mark
	}
	return all
}
