package gazetteer

import (
	"slices"
	"strings"

	"kith/query/wordlist"
)

// Regions, and areas made of cities: metropolitan areas, counties and others.

func (g *gazetteer) readRegions() {
	members := map[string][]string{}
	for _, line := range wordlist.Lines(data, "regions.tsv") {
		f := strings.Split(line, "\t")
		id := f[0]
		for name := range strings.SplitSeq(f[1]+";"+f[2], ";") {
			g.regionNames[PlaceKey(name)] = id
		}
		g.regionNames[PlaceKey(id)] = id
		g.regionTitles[id] = f[1]
		g.continents[id] = len(f) > 4 && f[4] == "continent"
		all := g.regionMembers(members, f[3])
		members[id] = all
		for _, m := range all {
			if !slices.Contains(g.regionsOf[m], id) {
				g.regionsOf[m] = append(g.regionsOf[m], id)
				g.regionSizes[id]++
			}
		}
	}
}

// regionMembers resolves a list of members: country codes, country/state (the state may have several words), and
// +region for all members of a region listed earlier.
func (g *gazetteer) regionMembers(known map[string][]string, list string) []string {
	var all []string
	for w := range strings.FieldsSeq(list) {
		switch {
		case w[0] == '+':
			all = append(all, known[w[1:]]...)
		case g.countries[w] != "" || strings.Contains(w, "/"):
			all = append(all, w)
		default:
			all[len(all)-1] += " " + w
		}
	}
	return all
}

// located is a thing's country and state. The state is an index into the states, or -1 for none or several.
type located struct {
	country string
	state   int32
}

func (l located) in(country string, stateID int32) bool {
	return (country == "" || l.country == country) && (stateID < 0 || l.state < 0 || l.state == stateID)
}

// located reads country/state; the state is optional.
func (g *gazetteer) located(text string) located {
	country, inState, _ := strings.Cut(text, "/")
	return located{country, g.stateID(PlaceKey(inState), country)}
}

// area is a metropolitan area, a county or another group of cities.
type area struct {
	located

	title string
}

func (g *gazetteer) readAreas() {
	rows := append(wordlist.Lines(data, "metros.tsv"), wordlist.Lines(data, "areas.tsv")...)
	lists := make(map[string]string, len(rows))
	for _, line := range rows {
		f := strings.Split(line, "\t")
		id := f[0]
		g.areas[id] = area{g.located(f[1]), f[2]}
		lists[id] = f[5]
		g.nameArea(id, f[2])
		g.nameArea(id, id)
		for name := range strings.SplitSeq(f[4], ";") {
			g.nameArea(id, name)
		}
		if seat := PlaceKey(f[3]); seat != "" {
			g.metroSeats[seat] = id
		}
	}
	members := make(map[string][]string, len(rows))
	for _, line := range rows {
		id, _, _ := strings.Cut(line, "\t")
		for _, key := range g.members(id, lists, members) {
			g.metroOf[key] = append(g.metroOf[key], id)
		}
	}
}

// nameArea records a name of an area. A leading ~ marks a name that mostly means another place.
func (g *gazetteer) nameArea(id, name string) {
	name, rare := strings.CutPrefix(strings.TrimSpace(name), "~")
	names := g.areaNames
	if rare {
		names = g.areaRare
	}
	if key := PlaceKey(name); key != "" && !slices.Contains(names[key], id) {
		names[key] = append(names[key], id)
	}
}

// members returns the keys of the cities of an area, including those of the areas inside it. done caches the areas
// already read.
func (g *gazetteer) members(id string, lists map[string]string, done map[string][]string) []string {
	if keys, ok := done[id]; ok {
		return keys
	}
	keys := make([]string, 0, 1+strings.Count(lists[id], ";"))
	for m := range strings.SplitSeq(lists[id], "; ") {
		if taken, ok := strings.CutPrefix(m, "+"); ok {
			keys = append(keys, g.members(taken, lists, done)...)
			g.areasOf[taken] = append(g.areasOf[taken], id)
		} else {
			keys = append(keys, g.memberKey(g.areas[id], m))
		}
	}
	slices.Sort(keys)
	done[id] = slices.Compact(keys)
	return done[id]
}

// memberKey returns the place key of a member: city, city/state or city/state/country. In countries where many cities
// share a name, the state defaults to that of the area.
func (g *gazetteer) memberKey(a area, member string) string {
	name, where, _ := strings.Cut(member, "/")
	inState, country, abroad := strings.Cut(where, "/")
	if !abroad {
		country = a.country
	}
	inState = PlaceKey(inState)
	if where == "" && a.state >= 0 && namesRepeat(country) {
		inState = g.states[a.state].key
	}
	if inState == "" {
		return PlaceKey(name) + "|" + country
	}
	return PlaceKey(name) + "|" + inState + "|" + country
}

// namesRepeat reports whether many cities of a country share a name.
func namesRepeat(country string) bool { return country == "us" || country == "ca" || country == "au" }

// metro returns the areas of a name, or the metro area of a main city with a word for its surroundings (Greater Lyon,
// Boston area). It ignores names that mostly mean another place.
func (g *gazetteer) metro(key string) []string {
	if ids := g.areaNames[key]; len(ids) > 0 {
		return ids
	}
	seat := strings.TrimPrefix(key, "greater ")
	for _, suffix := range []string{
		" metropolitan area", " metro area", " metropolitan region", " metropolitan", " metro",
		" area", " region",
	} {
		if rest, found := strings.CutSuffix(seat, suffix); found {
			seat = rest
			break
		}
	}
	if seat == key {
		return nil
	}
	if ids := g.areaNames[seat]; len(ids) > 0 {
		return ids
	}
	return g.metroAround(seat)
}

// metroAround returns the metro area of a main city, by any name of the city.
func (g *gazetteer) metroAround(seat string) []string {
	if id, ok := g.metroSeats[seat]; ok {
		return []string{id}
	}
	if g.isCity(seat) {
		return nil
	}
	for _, c := range g.aliasedCities(seat) {
		if id, ok := g.metroSeats[PlaceKey(g.city(c).name)]; ok {
			return []string{id}
		}
	}
	return nil
}

// withOuter appends an area, and all areas that contain it, to a list.
func (g *gazetteer) withOuter(list []string, id string) []string {
	if slices.Contains(list, id) {
		return list
	}
	list = append(list, id)
	for _, outer := range g.areasOf[id] {
		list = g.withOuter(list, outer)
	}
	return list
}

// areaIn returns the area of a name in a country and a state, if they are known. If none fits and the country is known,
// it also accepts names that mostly mean another place. ok is false unless exactly one area fits.
func (g *gazetteer) areaIn(key, country string, stateID int32) (id string, ok bool) {
	outside := func(id string) bool { return !g.areas[id].in(country, stateID) }
	fits := slices.DeleteFunc(slices.Clone(g.metro(key)), outside)
	if len(fits) == 0 && country != "" {
		fits = slices.DeleteFunc(slices.Clone(g.areaRare[key]), outside)
	}
	if len(fits) != 1 {
		return "", false
	}
	return fits[0], true
}
