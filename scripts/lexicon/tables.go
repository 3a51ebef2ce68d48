package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"kith/query/prompt/lexicon"
	"kith/scripts/registry"
)

// nationalities lists countries by their English names with their adjectives, which are also the words for the people.
func nationalities(ctx context.Context) ([]string, error) {
	read, err := registry.NPM(ctx, registry.Package{
		Name: "i18n-nationality", Version: "1.4.0", Size: 25_401,
		SHA256: "4b47e16ebe647c9e77a6ffed4ab075475647e8698f0a4415d4261a0716835a85",
	})
	if err != nil {
		return nil, err
	}
	text, err := read("package/langs/en.json")
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
