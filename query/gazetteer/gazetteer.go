package gazetteer

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kith/query/wordlist"
)

//go:embed data/areas.tsv data/cities.tsv.gz data/city_aliases.tsv data/city_names.tsv.gz data/countries.tsv
//go:embed data/country_aliases.tsv data/metros.tsv data/neighbourhoods.tsv data/regions.tsv data/state_aliases.tsv
//go:embed data/states.tsv
var data embed.FS

// gazetteer is the data about places. All names in it are keys from [PlaceKey].
type gazetteer struct {
	cities      wordlist.Table   // name, country and state code, population; the most populous first
	cityNames   wordlist.Table   // key, numbers of the cities with this name, of those with this alias; by key
	cityAliases map[string]int32 // hand-written aliases

	states     []state
	byCode     map[string]int32 // "cc.code"
	stateNames map[string][]int32

	countries    map[string]string // code → English name
	countryNames map[string]string // name → code

	regionNames  map[string]string   // name → identifier
	regionTitles map[string]string   // identifier → English name
	regionsOf    map[string][]string // code, or code/state → identifiers
	regionSizes  map[string]int      // identifier → how many members
	continents   map[string]bool     // identifier → whether it is a continent

	areas      map[string]area     // identifier → metro area, county and the like
	areaNames  map[string][]string // name → identifiers
	areaRare   map[string][]string // name that mostly means another place → identifiers
	areasOf    map[string][]string // identifier → areas that contain it
	metroSeats map[string]string   // main city → identifier
	metroOf    map[string][]string // "city|cc" or "city|state|cc" → identifiers

	quarters     []quarter
	quarterNames map[string][]int // name → neighbourhoods with that name
	quarterOf    map[string]int   // name with that of its city, in either order → neighbourhood
}

// city is one city; its state is an index into the states, or -1.
type city struct {
	name, country string
	state         int32
	population    int
}

type state struct{ name, key, country string }

// places returns the gazetteer. Reading it takes some 60 ms, once; after that it never changes.
var places = sync.OnceValue(func() *gazetteer {
	g := &gazetteer{
		cityAliases: map[string]int32{},
		byCode:      map[string]int32{}, stateNames: map[string][]int32{},
		countries: map[string]string{}, countryNames: map[string]string{},
		regionNames: map[string]string{}, regionTitles: map[string]string{}, regionsOf: map[string][]string{},
		regionSizes: map[string]int{}, continents: map[string]bool{},
		areas: map[string]area{}, areaNames: map[string][]string{}, areaRare: map[string][]string{},
		areasOf:    map[string][]string{},
		metroSeats: map[string]string{}, metroOf: map[string][]string{},
		quarterNames: map[string][]int{}, quarterOf: map[string]int{},
	}
	g.readCountries()
	g.readStates()
	g.readCities()
	g.readRegions()
	g.readAreas()
	g.readQuarters()
	return g
})

func (g *gazetteer) readCountries() {
	for _, line := range wordlist.Lines(data, "countries.tsv") {
		f := strings.Split(line, "\t")
		code, iso3, name := f[0], f[1], f[3]
		if code == "an" || code == "cs" { // former countries
			continue
		}
		g.countries[code] = name
		for _, key := range append(strings.Split(f[4], "|"), code, iso3, PlaceKey(name)) {
			if _, taken := g.countryNames[key]; !taken && key != "" {
				g.countryNames[key] = code
			}
		}
	}
	// Set codes and English names again: another country's name in some language must not replace them.
	for code, name := range g.countries {
		g.countryNames[code] = code
		g.countryNames[PlaceKey(name)] = code
	}
	for _, line := range wordlist.Lines(data, "country_aliases.tsv") {
		code, names, _ := strings.Cut(line, "\t")
		for name := range strings.SplitSeq(names, ";") {
			g.countryNames[PlaceKey(name)] = code
		}
	}
}

func (g *gazetteer) readStates() {
	named := map[string]int32{} // "cc/key"
	for _, line := range wordlist.Lines(data, "states.tsv") {
		f := strings.Split(line, "\t")
		s := state{name: f[2], key: PlaceKey(f[2]), country: f[0]}
		id, known := named[s.country+"/"+s.key]
		if !known {
			id = int32(len(g.states))
			g.states = append(g.states, s)
			named[s.country+"/"+s.key] = id
			g.stateNames[s.key] = append(g.stateNames[s.key], id)
			if plain := plainState(s.key); plain != s.key {
				g.stateNames[plain] = append(g.stateNames[plain], id)
			}
		}
		g.byCode[f[0]+"."+f[1]] = id
	}
	for _, line := range wordlist.Lines(data, "state_aliases.tsv") {
		where, names, _ := strings.Cut(line, "\t")
		country, name, _ := strings.Cut(where, "/")
		id, known := named[country+"/"+PlaceKey(name)]
		if !known {
			continue // a second spelling, for another edition of the source
		}
		for alias := range strings.SplitSeq(names, ";") {
			key := PlaceKey(alias)
			g.stateNames[key] = append(g.stateNames[key], id)
		}
	}
}

// statesCalled returns the states of a name, with or without the kind of state: Stockholm County, Province of
// Alberta. A county of the United States is not a state: Washington County.
func (g *gazetteer) statesCalled(key string) []int32 {
	if ids := g.stateNames[key]; len(ids) > 0 {
		return ids
	}
	ids := g.stateNames[plainState(key)]
	if strings.HasSuffix(key, " county") {
		return slices.DeleteFunc(slices.Clone(ids), func(id int32) bool { return g.states[id].country == "us" })
	}
	return ids
}

// nameOf returns the name of a state, "" for none.
func nameOf(states []state, id int32) string {
	if id < 0 {
		return ""
	}
	return states[id].name
}

// plainState removes the kind of state from a name.
func plainState(key string) string {
	first, last := strings.IndexByte(key, ' '), strings.LastIndexByte(key, ' ')
	switch {
	case first < 0:
		return key
	case isKindOfState(key[last+1:]):
		return key[:last]
	case strings.HasSuffix(key, " metropolitan area"):
		return strings.TrimSuffix(key, " metropolitan area")
	case isKindOfState(key[:first]) && strings.HasPrefix(key[first:], " of "):
		return key[first+len(" of "):]
	}
	return strings.TrimPrefix(key, "metropolitan area of ")
}

func isKindOfState(word string) bool {
	return slices.Contains([]string{
		"county", "province", "prefecture", "region", "state", "voivodeship", "oblast", "district", "governorate",
		"department", "canton", "lan", "municipality", "emirate",
	}, word)
}

func (g *gazetteer) readCities() {
	g.cities, g.cityNames = wordlist.Open(data, "cities.tsv.gz"), wordlist.Open(data, "city_names.tsv.gz")
	for _, line := range wordlist.Lines(data, "city_aliases.tsv") {
		where, names, _ := strings.Cut(line, "\t")
		f := strings.Split(where, "|")
		id, known := g.cityIn(PlaceKey(f[0]), f[2], f[1])
		if !known {
			continue // a second spelling, for another edition of the source
		}
		for alias := range strings.SplitSeq(names, ";") {
			g.cityAliases[PlaceKey(alias)] = id
		}
	}
}

// cityIn returns a city by name and country; the state code decides between several.
func (g *gazetteer) cityIn(key, country, code string) (int32, bool) {
	found := int32(-1)
	for _, id := range g.called(key) {
		c := g.city(id)
		if c.country != country {
			continue
		}
		if found < 0 {
			found = id
		}
		if s, known := g.byCode[country+"."+code]; known && s == c.state {
			return id, true
		}
	}
	return found, found >= 0
}

// city returns a city by its number.
func (g *gazetteer) city(id int32) city {
	name, rest, _ := strings.Cut(g.cities.Line(int(id)), "\t")
	code, people, _ := strings.Cut(rest, "\t")
	c := city{name: name, country: code[:2], state: -1}
	c.population, _ = strconv.Atoi(people) // the generator wrote it
	if s, known := g.byCode[code]; known {
		c.state = s
	}
	return c
}

// isCity reports whether a city has this name.
func (g *gazetteer) isCity(key string) bool {
	names, _ := g.cityNames.Find(key)
	return names != ""
}

// called returns the cities of a name, the most populous first.
func (g *gazetteer) called(key string) []int32 {
	names, _ := g.cityNames.Find(key)
	return numbers(nil, names)
}

// aliasedCities returns the cities of an alias: the one aliased by hand first, then the most populous.
func (g *gazetteer) aliasedCities(key string) []int32 {
	var ids []int32
	if id, known := g.cityAliases[key]; known {
		ids = append(ids, id)
	}
	_, aliases := g.cityNames.Find(key)
	return numbers(ids, aliases)
}

// numbers appends a list of numbers to ids, without duplicates.
func numbers(ids []int32, list string) []int32 {
	for list != "" {
		var one string
		one, list, _ = strings.Cut(list, ",")
		n, _ := strconv.Atoi(one) // the generator wrote it
		if !slices.Contains(ids, int32(n)) {
			ids = append(ids, int32(n))
		}
	}
	return ids
}
