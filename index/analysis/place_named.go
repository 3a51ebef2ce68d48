package analysis

import (
	"maps"
	"slices"
	"strings"
)

// PlaceKind is what kind of place a name means.
type PlaceKind string

// The kinds of place.
const (
	PlaceCountry PlaceKind = "country"
	PlaceState   PlaceKind = "state"
	PlaceCity    PlaceKind = "city"
	PlaceMetro   PlaceKind = "metro" // an area made of cities: a metro area, a county
	PlaceRegion  PlaceKind = "region"
)

// NamedPlace is one place that a name may mean.
type NamedPlace struct {
	Kind PlaceKind
	// Name is the English name of the place, City, State and Country those of
	// what it lies in, as far as that is one thing; for a city, City is Name.
	Name, City, State, Country string
	// Code is the ISO 3166 alpha-2 code of the country in lower case, Region the
	// identifier of the region, Metro that of the metro area.
	Code, Region, Metro string
	// Population is that of a city, else 0.
	Population int
	// Alias is true where the place is usually called otherwise: an
	// abbreviation, a name in another language. ByHand is true for the alias of
	// a city that is written by hand, and so is one that people use.
	Alias, ByHand bool
	// Rare is true for an area whose name mostly means another place: it is meant
	// only where what it lies in is named, too.
	Rare bool
	// Within are the names of the cities that a well-known neighbourhood is part
	// of, the nearest first; none for any other place.
	Within []string
}

// manyCities is how many cities of one name [PlacesNamed] gives.
const manyCities = 6

// PlacesNamed returns the places that folded words, joined by single spaces
// (see [PlaceKey]), name: countries, regions, states, metro areas, then
// neighbourhoods, and cities, the most populous first. A city that is only also
// called so is left out where one is really called so, but for the aliases that
// are written by hand. Areas for which the name is rare come last.
func PlacesNamed(key string) []NamedPlace {
	if key == "" {
		return nil
	}
	g := places()
	var all []NamedPlace
	if code, ok := g.countryNames[key]; ok {
		name := g.countries[code]
		all = append(all, NamedPlace{Kind: PlaceCountry, Name: name, Country: name, Code: code, Alias: PlaceKey(name) != key})
	}
	if id, ok := g.regionNames[key]; ok {
		all = append(all, NamedPlace{Kind: PlaceRegion, Name: g.regionTitles[id], Region: id})
	}
	for _, id := range g.statesCalled(key) {
		s := g.states[id]
		all = append(all, NamedPlace{
			Kind: PlaceState, Name: s.name, State: s.name, Country: g.countries[s.country], Code: s.country, Alias: s.key != key,
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
	p := NamedPlace{
		Kind: PlaceMetro, Name: a.title, Metro: id, Country: g.countries[a.country], Code: a.country,
		Rare: rare,
	}
	if a.state >= 0 {
		p.State = g.states[a.state].name
	}
	return p
}

func (g *gazetteer) citiesNamed(key string) []NamedPlace {
	all := g.quartersNamed(key)
	add := func(id int32, alias bool) {
		c := g.city(id)
		p := NamedPlace{
			Kind: PlaceCity, Name: c.name, City: c.name, Country: g.countries[c.country], Code: c.country,
			Population: c.population, Alias: alias,
		}
		if c.state >= 0 {
			p.State = g.states[c.state].name
		}
		same := func(q NamedPlace) bool { return q.Code == p.Code && q.State == p.State && q.City == p.City }
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
	names, aliases := g.cityNames.find(key)
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

// LiesIn reports whether a place is inside another, or is it.
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
		return p.Metro != "" && p.Metro == outer.Metro || p.City != "" && slices.Contains(p.metros(g), outer.Metro)
	case PlaceRegion:
		of := slices.Concat([]string{p.Region}, g.regionsOf[p.Code], g.regionsOf[p.Code+"/"+PlaceKey(p.State)])
		return outer.Region != "" && slices.Contains(of, outer.Region)
	}
	return false
}

// inCity reports whether a place is a city or a part of it.
func (p NamedPlace) inCity(outer NamedPlace) bool {
	return p.City != "" && p.City == outer.City && p.inState(outer) ||
		p.Code == outer.Code && slices.Contains(p.Within, outer.City)
}

// inState reports whether both places are of one state, or of one country where neither has a state.
func (p NamedPlace) inState(outer NamedPlace) bool {
	return p.State == outer.State && p.Code == outer.Code
}

func (p NamedPlace) metros(g *gazetteer) []string {
	city := PlaceKey(p.City)
	return append(slices.Clone(g.metroOf[city+"|"+p.Code]), g.metroOf[city+"|"+PlaceKey(p.State)+"|"+p.Code]...)
}

// Qualified is the place with what it lies in, from the inside out: "Paris,
// Texas, United States"; of a neighbourhood "Shoreditch, London".
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

// Term is the text that the vocabulary keeps the place by, as [TermPlace]: the
// code of a country, and for states and cities their key, a bar and that code;
// empty for metro areas and regions. A city and a state of one name in one
// country share it.
func (p NamedPlace) Term() string {
	switch p.Kind {
	case PlaceCountry:
		return p.Code
	case PlaceState:
		return PlaceKey(p.State) + "|" + p.Code
	case PlaceCity:
		return PlaceKey(p.City) + "|" + p.Code
	case PlaceMetro, PlaceRegion:
	}
	return ""
}

// PlaceKeys returns the keys of the names of countries, states, regions, metro
// areas and cities with at least so many inhabitants, in no order and some of
// them twice.
func PlaceKeys(inhabitants int) []string {
	g := places()
	var keys []string
	for _, names := range []map[string]string{g.countryNames, g.regionNames} {
		keys = slices.AppendSeq(keys, maps.Keys(names))
	}
	keys = slices.AppendSeq(keys, maps.Keys(g.areaNames))
	keys = slices.AppendSeq(keys, maps.Keys(g.stateNames))
	for i := range g.cities.len() {
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
