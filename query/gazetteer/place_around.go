package gazetteer

import (
	"slices"
	"strings"
)

// PlacesAround returns the places around a place, the narrowest first: for a city its areas, state and country; for a
// state or an area its country. The text is a filter value ("Paris", "Paris, Texas"), and kind its filter. An ambiguous
// name means the first place of that kind from [PlacesNamed]. The result is empty for an unknown place.
func PlacesAround(kind PlaceKind, text string) []NamedPlace {
	g := places()
	p, known := placeMeant(kind, text)
	if !known || p.Kind == PlaceCountry || p.Kind == PlaceRegion {
		return nil
	}
	var around []NamedPlace
	if p.Kind == PlaceCity {
		for _, id := range p.metros(g) {
			around = append(around, g.namedArea(id, false))
		}
	}
	if p.State != "" && p.Kind != PlaceState {
		around = append(around, NamedPlace{
			Kind: PlaceState, Name: p.State, State: p.State, Country: p.Country,
			Code: p.Code,
		})
	}
	if p.Country != "" {
		around = append(around, NamedPlace{Kind: PlaceCountry, Name: p.Country, Country: p.Country, Code: p.Code})
	}
	return around
}

// placeMeant returns the place that a text names as the value of a filter for a kind of place, which also takes other
// kinds.
func placeMeant(kind PlaceKind, text string) (NamedPlace, bool) {
	parts := strings.Split(text, ",")
	named := PlacesNamed(PlaceKey(parts[0]))
	for _, within := range parts[1:] {
		outer := PlacesNamed(PlaceKey(within))
		named = slices.DeleteFunc(named, func(p NamedPlace) bool {
			return !slices.ContainsFunc(outer, p.LiesIn)
		})
	}
	kinds := []PlaceKind{kind, PlaceCity, PlaceMetro, PlaceState}
	switch kind {
	case PlaceCountry:
		kinds = []PlaceKind{PlaceCountry}
	case PlaceRegion:
		kinds = []PlaceKind{PlaceRegion, PlaceCountry, PlaceState}
	}
	for _, k := range kinds {
		if i := slices.IndexFunc(named, func(p NamedPlace) bool { return p.Kind == k }); i >= 0 {
			return named[i], true
		}
	}
	return NamedPlace{}, false
}

// RegionsAround returns the region of at least three countries around a place's country, then its continent, each only
// if it is known and is not the place itself. A region lies in what has all of its countries. text and kind are as in
// [PlacesAround].
func RegionsAround(kind PlaceKind, text string) []NamedPlace {
	g := places()
	p, _ := placeMeant(kind, text)
	countries := []string{g.countryNames[PlaceKey(p.Country)]}
	if p.Kind == PlaceRegion {
		countries = MembersOf(p.Region)
	}
	var around []NamedPlace
	for _, id := range g.regionsAround(p.Region, countries) {
		if len(around) == 0 || g.continents[id] {
			around = append(around, NamedPlace{Kind: PlaceRegion, Name: g.regionTitles[id], Region: id})
		}
	}
	return around[:min(len(around), 2)]
}

// regionsAround returns the regions of at least three countries, except one, that contain all of some members.
func (g *gazetteer) regionsAround(except string, members []string) []string {
	const least = 3
	var around []string
	for i, m := range members {
		country, _, _ := strings.Cut(m, "/")
		of := g.regionsOf[country]
		if i == 0 {
			around = slices.Clone(of)
		}
		around = slices.DeleteFunc(around, func(id string) bool {
			return id == except || g.regionSizes[id] < least || !slices.Contains(of, id)
		})
	}
	return around
}
