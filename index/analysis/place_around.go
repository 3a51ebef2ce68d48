package analysis

import (
	"slices"
	"strings"
)

// PlacesAround returns what a place lies in, the narrowest first: the areas of a city, its state, its country; the
// country of a state or an area. The text is the value of a filter ("Paris", "Paris, Texas"), and kind says of which: a
// city, a metro area or a state. Where the name means several places it is the first of that kind that [PlacesNamed]
// gives. An unknown place lies in nothing.
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
		around = append(around, NamedPlace{Kind: PlaceState, Name: p.State, State: p.State, Country: p.Country, Code: p.Code})
	}
	if p.Country != "" {
		around = append(around, NamedPlace{Kind: PlaceCountry, Name: p.Country, Country: p.Country, Code: p.Code})
	}
	return around
}

// placeMeant is the place of a kind, or of one that stands in for it, that a text names.
func placeMeant(kind PlaceKind, text string) (NamedPlace, bool) {
	parts := strings.Split(text, ",")
	named := PlacesNamed(PlaceKey(parts[0]))
	for _, within := range parts[1:] {
		outer := PlacesNamed(PlaceKey(within))
		named = slices.DeleteFunc(named, func(p NamedPlace) bool {
			return !slices.ContainsFunc(outer, p.LiesIn)
		})
	}
	for _, k := range []PlaceKind{kind, PlaceCity, PlaceMetro, PlaceState} {
		if i := slices.IndexFunc(named, func(p NamedPlace) bool { return p.Kind == k }); i >= 0 {
			return named[i], true
		}
	}
	return NamedPlace{}, false
}

// RegionAround returns the region that a place's country lies in, of at least three countries; ok is false where there
// is none, or the place is unknown. The text is the value of a filter of a kind, as in [PlacesAround], or of countries.
func RegionAround(kind PlaceKind, text string) (region NamedPlace, ok bool) {
	g := places()
	var code string
	if kind == PlaceCountry {
		code = g.countryNames[PlaceKey(text)]
	} else if p, known := placeMeant(kind, text); known {
		code = g.countryNames[PlaceKey(p.Country)]
	}
	const least = 3
	for _, id := range g.regionsOf[code] {
		if g.regionSizes[id] >= least {
			return NamedPlace{Kind: PlaceRegion, Name: g.regionTitles[id], Region: id}, true
		}
	}
	return NamedPlace{}, false
}
