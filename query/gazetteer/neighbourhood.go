package gazetteer

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/tokenizer"
	"kith/query/wordlist"
)

// quarter is a well-known neighbourhood.
type quarter struct {
	located

	name   string
	cities []string // the cities it belongs to, by all their names; names of the nearest first
	keys   []string // keys of its names, the usual one first
}

func (g *gazetteer) readQuarters() {
	for i, line := range wordlist.Lines(data, "neighbourhoods.tsv") {
		f := strings.Split(line, "\t")
		names := strings.Split(f[2], "; ")
		q := quarter{located: g.located(f[0]), name: names[0], cities: strings.Split(f[1], "; ")}
		if city, known := g.cityIn(PlaceKey(q.cities[0]), q.country, ""); known && !strings.Contains(f[0], "/") {
			q.state = g.city(city).state
		}
		for _, name := range names {
			q.keys = append(q.keys, PlaceKey(name))
		}
		g.quarters = append(g.quarters, q)
		for _, key := range q.keys {
			g.quarterNames[key] = append(g.quarterNames[key], i)
			for _, city := range q.cities {
				g.quarterOf[key+" "+PlaceKey(city)] = i
				g.quarterOf[PlaceKey(city)+" "+key] = i
			}
		}
	}
}

// quarter returns the neighbourhood that a record gives as its city, if it is certain: the record also names the
// city, or the name has no other meaning in the record's country and state.
func (g *gazetteer) quarter(key string, t *PlaceTerms, stateID int32) (q quarter, ok bool) {
	i, ok := g.quarterOf[key]
	if !ok && stateID < 0 && t.State != "" { // Shoreditch, London, United Kingdom
		i, ok = g.quarterOf[key+" "+t.State]
	}
	if ok {
		return g.quarters[i], g.quarters[i].in(t.Country, stateID)
	}
	fits := slices.DeleteFunc(slices.Clone(g.quarterNames[key]),
		func(i int) bool { return !g.quarters[i].in(t.Country, stateID) })
	if len(fits) != 1 {
		return quarter{}, false
	}
	q = g.quarters[fits[0]]
	another := slices.ContainsFunc(g.called(key), func(id int32) bool {
		c := g.city(id)
		return c.in(t.Country, stateID) && !c.in(q.country, q.state)
	})
	return q, !another
}

// quartersNamed returns the neighbourhoods with a name.
func (g *gazetteer) quartersNamed(key string) []NamedPlace {
	var all []NamedPlace
	for _, i := range g.quarterNames[key] {
		q := g.quarters[i]
		all = append(all, NamedPlace{
			Kind: PlaceCity, Name: q.name, State: nameOf(g.states, q.state),
			Country: g.countries[q.country], Code: q.country, Alias: q.keys[0] != key, ByHand: true, Within: q.cities,
		})
	}
	return all
}

// quarterPlace matches people known to live in a neighbourhood.
func (g *gazetteer) quarterPlace(q quarter) query.Query {
	key := q.keys[0] + "|" + q.country
	if others := g.called(q.keys[0]); q.state >= 0 &&
		slices.ContainsFunc(others, func(id int32) bool { return !g.city(id).in("", q.state) }) {
		key = q.keys[0] + "|" + g.states[q.state].key + "|" + q.country
	}
	return query.Term{Field: query.Place, Value: key}
}

// usualNames returns the usual names of neighbourhoods with this other name: South of Market for soma.
func (g *gazetteer) usualNames(key string) []string {
	var names []string
	for _, i := range g.quarterNames[key] {
		if name := g.quarters[i].keys[0]; name != key {
			names = tokenizer.AppendNew(names, []string{name})
		}
	}
	return names
}
