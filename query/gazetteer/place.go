package gazetteer

import (
	"slices"
	"strings"

	"kith"
	"kith/query/tokenizer"
)

// PlaceTerms are the index values of a person's home or a company's seat. The lists may share memory with the
// gazetteer: do not modify them.
type PlaceTerms struct {
	// Country is the ISO 3166 alpha-2 code in lower case, or the folded text of an unknown country.
	Country string
	// State is the key of the state's English name, or of the record's text.
	State string
	// City has the keys of the city's English name and of the record's text.
	City []string
	// Place has "city|country" and "city|state|country" for each value of City.
	Place []string
	// Region and Metro are the identifiers of the areas around the place.
	Region, Metro []string
	// CountryName, StateName and CityName are for display: in English if known, otherwise as in the record.
	CountryName, StateName, CityName string
}

// dominance is how many times larger a city must be than the next of its name to be meant by its name alone.
const dominance = 5

// wellKnown is the population from which a city's name alone implies its country.
const wellKnown = 100_000

// Place returns the index values of a location. It unifies abbreviations and spellings in other languages; unknown
// names stay, folded. It fills in a missing state or country if that is certain: one city of the name in that
// country, or one much larger than the others. It splits a city such as "Paris, Texas" if the other members are
// empty. The name of an area of cities (Bay Area, Surrey), as city or state, puts the person in that area and its
// state. People in a well-known neighbourhood also live in its city.
func Place(l kith.Location) PlaceTerms {
	if l.IsZero() {
		return PlaceTerms{}
	}
	g := places()
	if l.State == "" && l.Country == "" && strings.Contains(l.City, ",") {
		l = g.splitCity(l)
	}
	if l.Country == "" && l.State != "" {
		l = g.countryOfArea(l)
	}
	t := PlaceTerms{CountryName: l.Country, StateName: l.State, CityName: l.City}
	g.setCountry(&t, l.Country)
	stateID := g.setState(&t, l.State)
	g.setCity(&t, l.City, stateID)
	g.setAreas(&t)
	return t
}

// LandOf returns the country and state of a location, without a lookup of its city.
func LandOf(l kith.Location) PlaceTerms {
	var t PlaceTerms
	g := places()
	g.setCountry(&t, l.Country)
	g.setState(&t, l.State)
	return t
}

// IsCountry reports whether a text names a country, in any way that filters accept.
func IsCountry(text string) bool {
	_, is := places().countryNames[PlaceKey(text)]
	return is
}

// MembersOf returns the members of a region in no order: countries, and states as "country/state". An unknown region
// has none.
func MembersOf(region string) []string {
	var members []string
	for member, regions := range places().regionsOf {
		if slices.Contains(regions, region) {
			members = append(members, member)
		}
	}
	return members
}

func (g *gazetteer) setCountry(t *PlaceTerms, text string) {
	t.Country = PlaceKey(text)
	if code, ok := g.countryNames[t.Country]; ok {
		t.Country, t.CountryName = code, g.countries[code]
		return
	}
	// Records give England, Scotland and Wales as countries.
	if ids := g.stateNames[t.Country]; len(ids) == 1 && g.states[ids[0]].country == "gb" {
		s := g.states[ids[0]]
		t.Country, t.CountryName, t.State, t.StateName = s.country, g.countries[s.country], s.key, s.name
	}
}

// setState sets the state, and the country from it; it returns -1 for an unknown state.
func (g *gazetteer) setState(t *PlaceTerms, text string) int32 {
	key := PlaceKey(text)
	if key == "" {
		return g.stateID(t.State, t.Country)
	}
	ids := g.statesCalled(key)
	for _, id := range ids {
		if t.Country == g.states[id].country {
			return g.putState(t, id)
		}
	}
	if t.Country == "" && len(ids) > 0 && (len(ids) == 1 || g.states[ids[0]].country == "us") && len(key) > 3 {
		return g.putState(t, ids[0])
	}
	if code, known := g.byCode[t.Country+"."+strings.ToUpper(key)]; known {
		return g.putState(t, code)
	}
	t.State = key
	if id, ok := g.areaIn(key, t.Country, -1); ok && t.Country != "" { // Guildford, Surrey
		t.Metro = g.withOuter(t.Metro, id)
		if in := g.areas[id].state; in >= 0 {
			t.State = g.states[in].key
			return in
		}
	}
	return -1
}

func (g *gazetteer) putState(t *PlaceTerms, id int32) int32 {
	s := g.states[id]
	t.State, t.StateName = s.key, s.name
	if t.Country == "" {
		t.Country, t.CountryName = s.country, g.countries[s.country]
	}
	return id
}

func (g *gazetteer) stateID(key, country string) int32 {
	for _, id := range g.stateNames[key] {
		if g.states[id].country == country {
			return id
		}
	}
	return -1
}

// setCity sets the city, and the state and country from it.
func (g *gazetteer) setCity(t *PlaceTerms, text string, stateID int32) {
	key := PlaceKey(text)
	if key == "" {
		return
	}
	t.City = []string{key}
	if area, ok := g.areaOnly(key, t.Country, stateID); ok {
		t.Metro = g.withOuter(t.Metro, area)
		g.putIn(t, g.areas[area].country, g.areas[area].state)
	} else if id, sure := g.locate(key, t.Country, stateID); id >= 0 {
		c := g.city(id)
		if t.Country != "" || sure && c.population >= wellKnown {
			t.CityName = c.name
			if name := PlaceKey(c.name); name != key {
				t.City = append(t.City, name)
			}
		}
		if sure && (t.Country == c.country || t.Country == "" && c.population >= wellKnown) {
			g.putIn(t, c.country, c.state)
		}
	}
	if q, ok := g.quarter(key, t, stateID); ok {
		g.putIn(t, q.country, q.state)
		t.City = tokenizer.AppendNew(t.City, []string{q.keys[0], PlaceKey(q.cities[0])})
	}
	t.setPlace()
}

// setPlace sets Place: the city with its country, and with its state and country.
func (t *PlaceTerms) setPlace() {
	if t.Country == "" {
		return
	}
	for _, c := range t.City {
		t.Place = append(t.Place, c+"|"+t.Country)
		if t.State != "" {
			t.Place = append(t.Place, c+"|"+t.State+"|"+t.Country)
		}
	}
}

// putIn fills in a missing country and state.
func (g *gazetteer) putIn(t *PlaceTerms, country string, stateID int32) {
	if t.Country == "" {
		t.Country, t.CountryName = country, g.countries[country]
	}
	if t.State == "" && stateID >= 0 {
		t.State, t.StateName = g.states[stateID].key, g.states[stateID].name
	}
}

// areaOnly returns the area of a name, within a known country and state, if no city there has that name.
func (g *gazetteer) areaOnly(key, country string, stateID int32) (id string, ok bool) {
	if country == "" && g.isCity(key) {
		return "", false
	}
	if id, ok = g.areaIn(key, country, stateID); !ok {
		return "", false
	}
	if !g.isCity(key) {
		return id, true
	}
	city, _ := g.locate(key, country, stateID)
	return id, city < 0
}

// locate returns the most populous city that a text may mean, within a known country and state. Cities of that name
// take precedence over those with it as an alias. sure is true if no other city comes close in size. id is -1 if
// there is none.
func (g *gazetteer) locate(key, country string, stateID int32) (id int32, sure bool) {
	for _, cities := range []func(string) []int32{g.called, g.aliasedCities} {
		fits := slices.DeleteFunc(cities(key), func(id int32) bool { return !g.city(id).in(country, stateID) })
		if len(fits) == 0 {
			continue
		}
		id = fits[0]
		return id, len(fits) == 1 || g.city(id).population >= dominance*g.city(fits[1]).population
	}
	return -1, false
}

func (c city) in(country string, stateID int32) bool {
	return (country == "" || c.country == country) && (stateID < 0 || c.state == stateID)
}

func (g *gazetteer) setAreas(t *PlaceTerms) {
	t.Region = g.regionsOf[t.Country]
	if inState := g.regionsOf[t.Country+"/"+t.State]; len(inState) > 0 {
		t.Region = append(slices.Clip(t.Region), inState...)
	}
	for _, p := range t.Place {
		t.Metro = tokenizer.AppendNew(t.Metro, g.metroOf[p])
	}
}

// splitCity splits a city text at its commas if the last part names a state, a country or an area.
func (g *gazetteer) splitCity(l kith.Location) kith.Location {
	if len(g.areaNames[PlaceKey(l.City)]) > 0 {
		return l
	}
	parts := strings.Split(l.City, ",")
	last := PlaceKey(parts[len(parts)-1])
	if _, isCountry := g.countryNames[last]; isCountry &&
		(len(parts) > 2 || len(last) > 2 || len(g.stateNames[last]) == 0) {
		out := kith.Location{City: parts[0], Country: strings.TrimSpace(parts[len(parts)-1])}
		if len(parts) > 2 {
			out.State = strings.TrimSpace(parts[len(parts)-2])
		}
		return g.stateNotCountry(out)
	}
	if ids := g.stateNames[last]; len(ids) > 0 {
		return kith.Location{
			City: parts[0], State: strings.TrimSpace(parts[len(parts)-1]),
			Country: g.countries[g.states[ids[0]].country],
		}
	}
	if in := g.countryOfArea(kith.Location{
		City:  parts[0],
		State: strings.TrimSpace(parts[len(parts)-1]),
	}); in.Country != "" {
		return in
	}
	return l
}

// countryOfArea fills in the country of a city from an area given as its state that has such a city: Guildford, Surrey.
func (g *gazetteer) countryOfArea(l kith.Location) kith.Location {
	city, key := PlaceKey(l.City), PlaceKey(l.State)
	for _, id := range slices.Concat(g.areaNames[key], g.areaRare[key]) {
		if member := g.memberKey(g.areas[id], city); slices.Contains(g.metroOf[member], id) {
			return kith.Location{City: l.City, State: l.State, Country: g.countries[g.areas[id].country]}
		}
	}
	return l
}

// stateNotCountry decides between a country and a state of one name (Atlanta, Georgia): the one with such a city.
func (g *gazetteer) stateNotCountry(l kith.Location) kith.Location {
	key := PlaceKey(l.Country)
	if id, _ := g.locate(PlaceKey(l.City), g.countryNames[key], -1); id >= 0 || l.State != "" {
		return l
	}
	for _, s := range g.stateNames[key] {
		if id, _ := g.locate(PlaceKey(l.City), g.states[s].country, s); id >= 0 {
			return kith.Location{City: l.City, State: l.Country, Country: g.countries[g.states[s].country]}
		}
	}
	return l
}
