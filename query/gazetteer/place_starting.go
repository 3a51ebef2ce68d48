package gazetteer

import (
	"strings"
	"unicode/utf8"
)

const (
	// mostNames limits the alternative city names for one beginning: nobody could choose from more.
	mostNames = 500
	// minOtherName is the shortest beginning, in letters, that matches alternative names.
	minOtherName = 4
)

// PlacesStarting returns the countries, states and cities with a name that begins with a folded text (see
// [PlaceKey]), unsorted and possibly with duplicates. Beginnings of alternative names, such as those in other
// languages, match from four letters on; a whole alternative name always matches (NYC).
func PlacesStarting(text string) []NamedPlace {
	if text == "" {
		return nil
	}
	g := places()
	keys := map[string]bool{text: true}
	begins := func(key string) {
		if strings.HasPrefix(key, text) {
			keys[key] = true
		}
	}
	for key := range g.countryNames {
		begins(key)
	}
	for key := range g.stateNames {
		begins(key)
	}
	for key := range g.cityAliases {
		begins(key)
	}
	long := utf8.RuneCountInString(text) >= minOtherName
	if long {
		for _, key := range g.cityNames.Starting(text, mostNames) {
			keys[key] = true
		}
	}
	var all []NamedPlace
	for key := range keys {
		for _, p := range PlacesNamed(key) {
			if p.Term() != "" && len(p.Within) == 0 && (long || key == text || !p.Alias) {
				all = append(all, p)
			}
		}
	}
	return all
}

// PlaceOf returns the places that a term of the vocabulary may mean: a country, or the states and cities of a key in
// a country. Places with that name take precedence over one with it as an alias. Unknown terms have none.
func PlaceOf(term string) []NamedPlace {
	key, code, inside := strings.Cut(term, "|")
	if !inside {
		code = term
	}
	var called, also []NamedPlace
	for _, p := range PlacesNamed(key) {
		switch {
		case p.Code != code || len(p.Within) > 0 || p.Term() == "":
		case p.Term() == term:
			called = append(called, p)
		case p.Alias && inside && p.Kind != PlaceCountry:
			also = append(also, p)
		}
	}
	if len(called) > 0 {
		return called
	}
	return also[:min(len(also), 1)]
}
