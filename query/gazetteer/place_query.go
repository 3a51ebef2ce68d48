package gazetteer

import (
	"slices"
	"strings"

	"kith/query"
)

// CountryQuery returns the meaning of a country filter's alternative: a country by any name or code, a part of the
// United Kingdom, or a region. Other text matches people whose record has literally that country.
func CountryQuery(text string) query.Query {
	g, key := places(), PlaceKey(text)
	if code, ok := g.countryNames[key]; ok {
		return query.Term{Field: query.Country, Value: code}
	}
	if id, ok := g.regionNames[key]; ok {
		return query.Term{Field: query.Region, Value: id}
	}
	if ids := g.stateNames[key]; len(ids) == 1 && g.states[ids[0]].country == "gb" {
		return inState(g.states[ids[0]])
	}
	return query.Term{Field: query.Country, Value: key}
}

// RegionQuery returns the meaning of a region filter's alternative: a region, otherwise a country, otherwise a state.
func RegionQuery(text string) query.Query {
	g, key := places(), PlaceKey(text)
	if id, ok := g.regionNames[key]; ok {
		return query.Term{Field: query.Region, Value: id}
	}
	if code, ok := g.countryNames[key]; ok {
		return query.Term{Field: query.Country, Value: code}
	}
	if len(g.statesCalled(key)) > 0 {
		return StateQuery(text)
	}
	return query.Term{Field: query.Region, Value: key}
}

// StateQuery returns the meaning of a state filter's alternative. An abbreviation used in several countries means the
// first state in the order of the table, which has the United States first. A name means every state of that name,
// otherwise the county or other area of that name.
func StateQuery(text string) query.Query {
	g, key := places(), PlaceKey(text)
	if head, tail, found := strings.Cut(text, ","); found {
		if code, ok := g.countryNames[PlaceKey(tail)]; ok {
			return g.stateIn(PlaceKey(head), code)
		}
	}
	ids := g.statesCalled(key)
	if areas := g.metro(key); len(ids) == 0 && len(areas) > 0 {
		return query.AnyOf(query.Term{Field: query.State, Value: key}, query.OneOf(query.Metro, areas))
	}
	values := []string{key}
	for _, id := range ids {
		s := g.states[id]
		if s.key != key && len(key) <= 3 {
			return inState(s)
		}
		if !slices.Contains(values, s.key) {
			values = append(values, s.key)
		}
	}
	return query.OneOf(query.State, values)
}

// stateIn matches a state of a given country.
func (g *gazetteer) stateIn(key, country string) query.Query {
	for _, id := range g.statesCalled(key) {
		if g.states[id].country == country {
			return inState(g.states[id])
		}
	}
	return query.AllOf(query.Term{Field: query.State, Value: key}, query.Term{Field: query.Country, Value: country})
}

func inState(s state) query.Query {
	return query.AllOf(query.Term{Field: query.State, Value: s.key}, query.Term{Field: query.Country, Value: s.country})
}

// MetroQuery returns the meaning of a metro filter's alternative: every area of that name, otherwise the area of a
// main city, otherwise a city.
func MetroQuery(text string) query.Query {
	g, key := places(), PlaceKey(text)
	ids := g.metro(key)
	if len(ids) == 0 {
		ids = g.metroAround(key)
	}
	if len(ids) > 0 {
		return query.OneOf(query.Metro, ids)
	}
	return CityQuery(text)
}

// CityQuery returns the meaning of a city filter's alternative:
//
//   - the name of a metro area or similar, if no city has it: the cities there;
//   - a neighbourhood with its city: people known to live there;
//   - a name: every city of that name, and the city with that common alias (Newcastle, Delhi);
//   - another name of a city (NYC, München): that city;
//   - a city before a state, country or region, with or without a comma: the city there;
//   - other text: people whose record has literally that city.
func CityQuery(text string) query.Query {
	g := places()
	key := PlaceKey(text)
	if ids := g.metro(key); len(ids) > 0 && !g.isCity(key) {
		return query.AnyOf(query.OneOf(query.Metro, ids), query.Term{Field: query.City, Value: key})
	}
	if i, ok := g.quarterOf[key]; ok {
		return query.AnyOf(g.quarterPlace(g.quarters[i]), query.Term{Field: query.City, Value: key})
	}
	if strings.Contains(text, ",") {
		parts := strings.Split(text, ",")
		return g.cityWithin(PlaceKey(parts[0]), parts[1:])
	}
	if others := g.usualNames(key); len(others) > 0 {
		return query.AnyOf(g.everyCity(key), query.OneOf(query.City, others))
	}
	if g.isCity(key) || len(g.quarterNames[key]) > 0 {
		return g.everyCity(key)
	}
	if ids := g.aliasedCities(key); len(ids) > 0 {
		return query.AnyOf(query.Term{Field: query.Place, Value: g.onlyPlace(g.city(ids[0]))},
			query.Term{Field: query.City, Value: key})
	}
	if q, ok := g.citySpaceState(key); ok {
		return q
	}
	return query.Term{Field: query.City, Value: key}
}

// everyCity matches all cities and neighbourhoods of a name, and the city with this hand-written alias.
func (g *gazetteer) everyCity(key string) query.Query {
	named := query.Term{Field: query.City, Value: key}
	id, known := g.cityAliases[key]
	if !known || PlaceKey(g.city(id).name) == key {
		return named
	}
	return query.AnyOf(named, query.Term{Field: query.Place, Value: g.onlyPlace(g.city(id))})
}

// onlyPlace is the term of one city: with its country, and with its state if the country has several of that name.
func (g *gazetteer) onlyPlace(c city) string {
	key := PlaceKey(c.name)
	same := 0
	for _, id := range g.called(key) {
		if g.city(id).country == c.country {
			same++
		}
	}
	if same > 1 && c.state >= 0 {
		return key + "|" + g.states[c.state].key + "|" + c.country
	}
	return key + "|" + c.country
}

// cityWithin matches a city inside the places that follow it, the innermost first.
func (g *gazetteer) cityWithin(city string, within []string) query.Query {
	last := PlaceKey(within[len(within)-1])
	if len(within) >= 2 {
		if code, ok := g.countryNames[last]; ok {
			return g.cityInState(city, PlaceKey(within[len(within)-2]), code)
		}
	}
	if q, ok := g.cityInEither(city, last); ok {
		return q
	}
	if id, ok := g.regionNames[last]; ok {
		return query.AllOf(CityQuery(city), query.Term{Field: query.Region, Value: id})
	}
	if ids := g.metro(last); len(ids) > 0 {
		return query.AllOf(CityQuery(city), query.OneOf(query.Metro, ids))
	}
	return query.AllOf(query.Term{Field: query.City, Value: city},
		query.AnyOf(query.Term{Field: query.State, Value: last}, query.Term{Field: query.Country, Value: last}))
}

// cityInState matches a city in a state of a country.
func (g *gazetteer) cityInState(city, inside, country string) query.Query {
	id := g.stateID(inside, country)
	if id < 0 {
		id = g.stateByCode(inside, country)
	}
	if id < 0 && inside != "" { // an area, the city of a neighbourhood, or unknown
		return query.AllOf(CityQuery(city+", "+inside), query.Term{Field: query.Country, Value: country})
	}
	return g.cityTerm(city, country, id)
}

func (g *gazetteer) stateByCode(code, country string) int32 {
	if id, known := g.byCode[country+"."+strings.ToUpper(code)]; known {
		return id
	}
	return -1
}

// cityInEither matches a city in a state or a country. If both have this name (Georgia, CA), the one with such a city
// counts, states first.
func (g *gazetteer) cityInEither(city, where string) (query.Query, bool) {
	code, isCountry := g.countryNames[where]
	states := g.stateNames[where]
	for _, s := range states {
		if id, _ := g.locate(city, g.states[s].country, s); id >= 0 {
			return g.cityTerm(city, g.states[s].country, s), true
		}
	}
	if isCountry {
		return g.cityTerm(city, code, -1), true
	}
	if len(states) > 0 {
		return g.cityTerm(city, g.states[states[0]].country, states[0]), true
	}
	return nil, false
}

// cityTerm matches the city of a name in a country, and in a state unless inside is negative; without such a city,
// the area of that name.
func (g *gazetteer) cityTerm(city, country string, inside int32) query.Query {
	within := country
	if inside >= 0 {
		within = g.states[inside].key + "|" + country
	}
	values := []string{city + "|" + within}
	if id, _ := g.locate(city, country, inside); id >= 0 {
		if name := PlaceKey(g.city(id).name); name != city {
			values = append(values, name+"|"+within)
		}
	} else if area, ok := g.areaIn(city, country, inside); ok {
		return query.AnyOf(query.Term{Field: query.Metro, Value: area}, query.Term{
			Field: query.Place,
			Value: values[0],
		})
	}
	return query.OneOf(query.Place, values)
}

// citySpaceState reads "Paris TX" and "Paris France": a known city, then a known state or country that has it.
func (g *gazetteer) citySpaceState(key string) (query.Query, bool) {
	ws := strings.Fields(key)
	for n := 1; n <= 3 && n < len(ws); n++ {
		city, where := strings.Join(ws[:len(ws)-n], " "), strings.Join(ws[len(ws)-n:], " ")
		code, isCountry := g.countryNames[where]
		known := false
		if isCountry {
			id, _ := g.locate(city, code, -1)
			known = id >= 0
		}
		for _, s := range g.stateNames[where] {
			id, _ := g.locate(city, g.states[s].country, s)
			known = known || id >= 0
		}
		if known {
			return g.cityInEither(city, where)
		}
	}
	return nil, false
}
