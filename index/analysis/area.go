package analysis

import (
	"slices"
	"strings"
)

// Regions and metro areas: sets of countries, states and cities.

func (g *gazetteer) readRegions() {
	members := map[string][]string{}
	for _, line := range lines("regions.tsv") {
		f := strings.Split(line, "\t")
		id := f[0]
		for name := range strings.SplitSeq(f[1]+";"+f[2], ";") {
			g.regionNames[PlaceKey(name)] = id
		}
		g.regionNames[PlaceKey(id)] = id
		g.regionTitles[id] = f[1]
		all := g.regionMembers(members, f[3])
		members[id] = all
		for _, m := range all {
			if !slices.Contains(g.regionsOf[m], id) {
				g.regionsOf[m] = append(g.regionsOf[m], id)
			}
		}
	}
}

// regionMembers resolves a list of members: country codes, country/state with
// states of several words, and +region for those of a region above.
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

func (g *gazetteer) readMetros() {
	members := map[string][]string{}
	rows := lines("metros.tsv")
	for _, line := range rows {
		f := strings.Split(line, "\t")
		members[f[0]] = strings.Split(f[5], "; ")
	}
	for _, line := range rows {
		f := strings.Split(line, "\t")
		id, country := f[0], f[1]
		g.metroLand[id] = country
		for name := range strings.SplitSeq(f[2]+";"+f[4], ";") {
			g.metroNames[PlaceKey(name)] = id
		}
		g.metroNames[PlaceKey(id)] = id
		g.metroTitles[id] = f[2]
		if seat := PlaceKey(f[3]); seat != "" {
			g.metroSeats[seat] = id
		}
		for _, m := range members[id] {
			if larger, nested := strings.CutPrefix(m, "+"); nested {
				for _, inner := range members[larger] {
					g.addMetroCity(id, country, inner)
				}
				continue
			}
			g.addMetroCity(id, country, m)
		}
	}
}

func (g *gazetteer) addMetroCity(id, country, member string) {
	name, inState, _ := strings.Cut(member, "/")
	key := PlaceKey(name) + "|"
	if inState != "" {
		key += PlaceKey(inState) + "|"
	}
	key += country
	if !slices.Contains(g.metroOf[key], id) {
		g.metroOf[key] = append(g.metroOf[key], id)
	}
}

// metro finds a metro area by one of its names, or by its main city with a word
// for the area around it (Greater Lyon, Boston area).
func (g *gazetteer) metro(key string) (id string, ok bool) {
	if id, ok = g.metroNames[key]; ok {
		return id, true
	}
	seat := strings.TrimPrefix(key, "greater ")
	for _, suffix := range []string{" metropolitan area", " metro area", " metropolitan region", " metropolitan", " metro", " area", " region"} {
		if rest, found := strings.CutSuffix(seat, suffix); found {
			seat = rest
			break
		}
	}
	if seat == key {
		return "", false
	}
	if id, ok = g.metroNames[seat]; ok {
		return id, true
	}
	return g.metroAround(seat)
}

// metroAround finds the metro area of a main city, by any name of the city.
func (g *gazetteer) metroAround(seat string) (id string, ok bool) {
	if id, ok = g.metroSeats[seat]; ok || g.isCity(seat) {
		return id, ok
	}
	for _, c := range g.alsoCalled(seat) {
		if id, ok = g.metroSeats[PlaceKey(g.city(c).name)]; ok {
			return id, true
		}
	}
	return "", false
}
