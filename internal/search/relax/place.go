package relax

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/gazetteer"
)

func isPlace(f query.Field) bool {
	switch f {
	case query.City, query.Metro, query.State, query.Country, query.Region,
		query.CompanyCity, query.CompanyMetro, query.CompanyState, query.CompanyCountry, query.CompanyRegion:
		return true
	}
	return false
}

// widerPlaces returns the metro areas, states and countries around the places.
func widerPlaces(u unit) []rung {
	var rungs []rung
	for i, kind := range []gazetteer.PlaceKind{gazetteer.PlaceMetro, gazetteer.PlaceState, gazetteer.PlaceCountry} {
		filter := placeFilter(u.info, kind)
		var values, says []string
		for _, text := range u.texts {
			for _, p := range gazetteer.PlacesAround(placeKind(u.info.Field), text) {
				if value := p.Qualified(); p.Kind == kind && !slices.Contains(says, value) {
					says = append(says, value)
					values = append(values, query.Alternative{Text: value, Phrase: true}.String())
				}
			}
		}
		if len(values) > 0 && filter != "" {
			rungs = append(rungs, rung{
				cost: costOfPlace + 10*i, instead: query.Filters{filter: strings.Join(values, ", ")},
				says: strings.Join(says, "; "),
			})
		}
	}
	return rungs
}

func placeKind(f query.Field) gazetteer.PlaceKind {
	switch f {
	case query.Metro, query.CompanyMetro:
		return gazetteer.PlaceMetro
	case query.State, query.CompanyState:
		return gazetteer.PlaceState
	case query.Country, query.CompanyCountry:
		return gazetteer.PlaceCountry
	case query.Region, query.CompanyRegion:
		return gazetteer.PlaceRegion
	}
	return gazetteer.PlaceCity
}

// regions returns the regions of the world around the places, then the continents.
func regions(u unit) []rung {
	kind, filter := placeKind(u.info.Field), placeFilter(u.info, gazetteer.PlaceRegion)
	if filter == "" {
		return nil
	}
	around := make([][]gazetteer.NamedPlace, 0, len(u.texts))
	most := 0
	for _, text := range u.texts {
		if of := gazetteer.RegionsAround(kind, text); len(of) > 0 {
			around, most = append(around, of), max(most, len(of))
		}
	}
	rungs := make([]rung, most)
	for i, dist := range []distance{region, continent}[:most] {
		var values, names []string
		for _, of := range around {
			if name := of[min(i, len(of)-1)].Name; !slices.Contains(names, name) {
				values = append(values, query.Alternative{Text: name, Phrase: true}.String())
				names = append(names, name)
			}
		}
		rungs[i] = rung{
			cost: costOfRegion + 5*i, step: away, far: dist, instead: query.Filters{filter: strings.Join(values, ", ")},
			says: strings.Join(names, "; "),
		}
	}
	if most > 0 && kind == gazetteer.PlaceCountry {
		rungs[0].step = mild
	}
	return rungs
}

// placeFilter returns the filter for a kind of place: of company seats if the given filter is about these, else of
// people.
func placeFilter(of query.FilterInfo, kind gazetteer.PlaceKind) query.FilterName {
	seat := slices.Contains([]query.Field{
		query.CompanyCity, query.CompanyMetro, query.CompanyState, query.CompanyCountry, query.CompanyRegion,
	}, of.Field)
	field := map[gazetteer.PlaceKind][2]query.Field{
		gazetteer.PlaceMetro:   {query.Metro, query.CompanyMetro},
		gazetteer.PlaceState:   {query.State, query.CompanyState},
		gazetteer.PlaceCountry: {query.Country, query.CompanyCountry},
		gazetteer.PlaceRegion:  {query.Region, query.CompanyRegion},
	}[kind]
	if seat {
		return findFilter(of.Path, field[1])
	}
	return findFilter(of.Path, field[0])
}

// findFilter returns the filter for a field of a path; "" if there is none.
func findFilter(path query.Path, f query.Field) query.FilterName {
	for _, info := range query.FilterTable() {
		if info.Path == path && info.Field == f {
			return info.Name
		}
	}
	return ""
}
