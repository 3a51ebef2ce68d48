package gazetteer

import (
	"maps"
	"slices"
	"strings"
)

// PlaceKind is the kind of a place.
type PlaceKind string

// The kinds of place.
const (
	PlaceCountry PlaceKind = "country"
	PlaceState   PlaceKind = "state"
	PlaceCity    PlaceKind = "city"
	PlaceMetro   PlaceKind = "metro" // an area made of cities: a metro area, a county
	PlaceRegion  PlaceKind = "region"
)

// NamedPlace is one possible meaning of a place name.
type NamedPlace struct {
	Kind PlaceKind
	// Name is the English name of the place. State and Country name the places around it, if unique.
	Name, State, Country string
	// Code is the ISO 3166 alpha-2 code of the country in lower case, Region and Metro are the identifiers of a
	// region and a metro area.
	Code, Region, Metro string
	// Population is that of a city, otherwise 0.
	Population int
	// Alias marks a name that is not the usual one: an abbreviation, or a name in another language. ByHand marks a
	// hand-written alias of a city, which people really use, and neighbourhoods.
	Alias, ByHand bool
	// Rare marks an area whose name mostly means another place: use it only if the text also names a place around it.
	Rare bool
	// Within has the names of the cities that a well-known neighbourhood belongs to, the nearest first; empty for
	// other places.
	Within []string
}

// manyCities is the most cities of one name in [PlacesNamed].
const manyCities = 6

// PlacesNamed returns the places with a name, given as folded words joined by single spaces (see [PlaceKey]):
// countries, regions, states, metro areas, neighbourhoods, then cities, the most populous first. If a city has this
// name, aliases of other cities are left out, except hand-written ones. Areas with Rare come last.
func PlacesNamed(key string) []NamedPlace {
	if key == "" {
		return nil
	}
	g := places()
	var all []NamedPlace
	if code, ok := g.countryNames[key]; ok {
		name := g.countries[code]
		all = append(all, NamedPlace{
			Kind: PlaceCountry, Name: name, Country: name, Code: code,
			Alias: PlaceKey(name) != key,
		})
	}
	if id, ok := g.regionNames[key]; ok {
		all = append(all, NamedPlace{Kind: PlaceRegion, Name: g.regionTitles[id], Region: id})
	}
	for _, id := range g.statesCalled(key) {
		s := g.states[id]
		all = append(all, NamedPlace{
			Kind: PlaceState, Name: s.name, State: s.name, Country: g.countries[s.country], Code: s.country,
			Alias: s.key != key,
		})
	}
	for _, id := range g.metro(key) {
		all = append(all, g.namedArea(id, false))
	}
	all = append(all, g.citiesNamed(key)...)
	for _, id := range g.areaRare[key] {
		all = append(all, g.namedArea(id, true))
	}
	return all
}

func (g *gazetteer) namedArea(id string, rare bool) NamedPlace {
	a := g.areas[id]
	return NamedPlace{
		Kind: PlaceMetro, Name: a.title, Metro: id, State: nameOf(g.states, a.state), Country: g.countries[a.country],
		Code: a.country, Rare: rare,
	}
}

func (g *gazetteer) citiesNamed(key string) []NamedPlace {
	all := g.quartersNamed(key)
	add := func(id int32, alias bool) {
		c := g.city(id)
		p := NamedPlace{
			Kind: PlaceCity, Name: c.name, State: nameOf(g.states, c.state),
			Country: g.countries[c.country], Code: c.country, Population: c.population, Alias: alias,
		}
		same := func(q NamedPlace) bool { return q.Code == p.Code && q.State == p.State && q.Name == p.Name }
		if len(all) < manyCities && !slices.ContainsFunc(all, same) {
			all = append(all, p)
		}
	}
	byHand, isAlias := g.cityAliases[key]
	if isAlias {
		n := len(all)
		add(byHand, true)
		for i := n; i < len(all); i++ {
			all[i].ByHand = true
		}
	}
	names, aliases := g.cityNames.Find(key)
	called := numbers(nil, names)
	for _, id := range called {
		if !isAlias || id != byHand {
			add(id, false)
		}
	}
	if len(called) > 0 {
		return all
	}
	for _, id := range numbers(nil, aliases) {
		if !isAlias || id != byHand {
			add(id, true)
		}
	}
	return all
}

// LiesIn reports whether a place is inside another, or equal to it.
func (p NamedPlace) LiesIn(outer NamedPlace) bool {
	g := places()
	switch outer.Kind {
	case PlaceCountry:
		return p.Code != "" && p.Code == outer.Code
	case PlaceState:
		return p.State != "" && p.inState(outer)
	case PlaceCity:
		return p.inCity(outer)
	case PlaceMetro:
		return p.Metro != "" && p.Metro == outer.Metro ||
			p.Kind == PlaceCity && slices.Contains(p.metros(g), outer.Metro)
	case PlaceRegion:
		of := slices.Concat([]string{p.Region}, g.regionsOf[p.Code], g.regionsOf[p.Code+"/"+PlaceKey(p.State)])
		return outer.Region != "" && slices.Contains(of, outer.Region)
	}
	return false
}

// inCity reports whether a place is a city or part of it.
func (p NamedPlace) inCity(outer NamedPlace) bool {
	return p.Kind == PlaceCity && p.Name == outer.Name && p.inState(outer) ||
		p.Code == outer.Code && slices.Contains(p.Within, outer.Name)
}

// inState reports whether both places are in one state, or in one country if neither has a state.
func (p NamedPlace) inState(outer NamedPlace) bool {
	return p.State == outer.State && p.Code == outer.Code
}

func (p NamedPlace) metros(g *gazetteer) []string {
	city := PlaceKey(p.Name)
	return append(slices.Clone(g.metroOf[city+"|"+p.Code]), g.metroOf[city+"|"+PlaceKey(p.State)+"|"+p.Code]...)
}

// Qualified is the place with those around it, from the inside out: "Paris, Texas, United States"; for a
// neighbourhood "Shoreditch, London".
func (p NamedPlace) Qualified() string {
	parts := []string{p.Name}
	if len(p.Within) > 0 {
		return p.Name + ", " + p.Within[0]
	}
	if p.Kind == PlaceCity && p.State != "" {
		parts = append(parts, p.State)
	}
	if (p.Kind == PlaceCity || p.Kind == PlaceState) && p.Country != "" && p.Country != p.Name {
		parts = append(parts, p.Country)
	}
	return strings.Join(parts, ", ")
}

// Term is the text of the place in the vocabulary, as analysis.TermPlace: the code of a country; for states and cities
// their key, a bar and that code; empty for metro areas and regions. A city and a state with the same name and country
// share it.
func (p NamedPlace) Term() string {
	switch p.Kind {
	case PlaceCountry:
		return p.Code
	case PlaceState:
		return PlaceKey(p.State) + "|" + p.Code
	case PlaceCity:
		return PlaceKey(p.Name) + "|" + p.Code
	case PlaceMetro, PlaceRegion:
	}
	return ""
}

// PlaceKeys returns the keys of the names of countries, states, regions, metro areas and cities with at least so many
// inhabitants. They are unsorted and may repeat.
func PlaceKeys(inhabitants int) []string {
	g := places()
	var keys []string
	for _, names := range []map[string]string{g.countryNames, g.regionNames} {
		keys = slices.AppendSeq(keys, maps.Keys(names))
	}
	keys = slices.AppendSeq(keys, maps.Keys(g.areaNames))
	keys = slices.AppendSeq(keys, maps.Keys(g.stateNames))
	for i := range g.cities.Len() {
		c := g.city(int32(i))
		if c.population < inhabitants {
			break // the most populous come first
		}
		keys = append(keys, PlaceKey(c.name))
	}
	for key, i := range g.cityAliases {
		if g.city(i).population >= inhabitants {
			keys = append(keys, key)
		}
	}
	return keys
}
