package rules

import (
	"cmp"
	"slices"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// onePlace returns the filter and the values of the place at a reading, and the last
// of the readings behind it that say where it is: "Paris, Texas", "Austin, TX, USA",
// "Shoreditch, London". It is that reading itself where none does.
func (p *parser) onePlace(at int) (name query.FilterName, values []string, last int) {
	s := p.spans[at]
	name, values = s.Sense.Filter, s.Sense.Values
	if s.Sense.Place == nil || s.Type == lexicon.Nationality {
		return name, values, at
	}
	last = at + 1
	if p.isCue(p.peekAt(last), cue.In) {
		last++
	}
	next := p.peekAt(last)
	if next.Sense.Place == nil || next.Type == lexicon.Nationality {
		return name, values, at
	}
	inner, ok := p.contained(s, next)
	switch {
	case ok && isCityOf(*next.Sense.Place, inner): // whoever is known to live in either
		return p.onePlace(last)
	case ok:
		return placeFilter(inner.Kind), []string{alternativePlace(inner)}, p.further(inner, last)
	case s.Type == lexicon.City && next.Type == lexicon.City && last == at+1 && p.adjoining(next) && next.Sense.Place.LiesIn(*s.Sense.Place): // Berlin Kreuzberg
		return name, values, last
	case isNamesake(*s.Sense.Place, *next.Sense.Place):
		return query.FilterCity, []string{p.literally(s, *next.Sense.Place)}, p.further(*next.Sense.Place, last)
	}
	return name, values, at
}

// further returns the last of the readings behind one that go on to say where a place
// is: the country behind the state.
func (p *parser) further(place analysis.NamedPlace, last int) int {
	for next := p.peekAt(last + 1); next.Sense.Place != nil && next.Type != lexicon.Nationality; next = p.peekAt(last + 1) {
		outer := *next.Sense.Place
		if outer.Kind != analysis.PlaceCountry && outer.Kind != analysis.PlaceState || outer.Kind == place.Kind || !place.LiesIn(outer) {
			break
		}
		last++
	}
	return last
}

// namedWithin names a place that is not known, at the present reading, with the state,
// the country or the area behind it, and returns the last of the readings that do so.
func (p *parser) namedWithin(s segment.Span) (place string, last int) {
	next := p.peek(1)
	if next.Sense.Place == nil || next.Type == lexicon.Nationality {
		return "", p.at
	}
	switch outer := *next.Sense.Place; outer.Kind {
	case analysis.PlaceState, analysis.PlaceCountry, analysis.PlaceMetro:
		return p.literally(s, outer), p.further(outer, p.at+1)
	case analysis.PlaceCity, analysis.PlaceRegion:
	}
	return "", p.at
}

// literally names a place that is not known with what it lies in.
func (p *parser) literally(s segment.Span, outer analysis.NamedPlace) string {
	return query.Alternative{Text: p.text(s) + ", " + outer.Qualified()}.String()
}

// isCityOf reports whether a place is the city of a neighbourhood, or a country that
// is one.
func isCityOf(place, inner analysis.NamedPlace) bool {
	return place.Kind == analysis.PlaceCity && len(inner.Within) > 0 ||
		place.Kind == analysis.PlaceCountry && slices.Contains(inner.Within, place.Name)
}

// contained returns the place that a reading can mean, the kind that was read first,
// and that the one behind it contains, such as the Portland that is in Maine.
func (p *parser) contained(s, behind segment.Span) (analysis.NamedPlace, bool) {
	named := p.placesOf(s)
	slices.SortStableFunc(named, func(a, b analysis.NamedPlace) int { // a city before the state of its name
		return cmp.Compare(rankOf(b, *s.Sense.Place), rankOf(a, *s.Sense.Place))
	})
	for _, inner := range named {
		for _, outer := range p.placesOf(behind) {
			if holds(*behind.Sense.Place, outer, inner) || inner.LiesIn(outer) && isStateBehind(*s.Sense.Place, outer) {
				return inner, true
			}
		}
	}
	return analysis.NamedPlace{}, false
}

// rankOf is 1 for the kind of place that was read, else 0.
func rankOf(p, read analysis.NamedPlace) int {
	if p.Kind == read.Kind {
		return 1
	}
	return 0
}

// holds reports whether the name of a place, read as one of those that it can be,
// says where an inner place is: a state or the like with a city, a city with a
// neighbourhood.
func holds(read, outer, inner analysis.NamedPlace) bool {
	if read.Kind == analysis.PlaceCity && len(inner.Within) > 0 {
		return outer.Kind == analysis.PlaceCity && inner.LiesIn(outer)
	}
	return inner.Kind != outer.Kind && outer.Kind != analysis.PlaceCity && read.Kind != analysis.PlaceCity && inner.LiesIn(outer)
}

// isStateBehind reports whether a place as it was read has its state behind it, though
// a larger city has that name, where states stand so: Buffalo, New York.
func isStateBehind(read, outer analysis.NamedPlace) bool {
	return isStateOfMany(outer) && read.Kind != analysis.PlaceState && read.LiesIn(outer)
}

// isStateOfMany reports whether a place is a state of a country in which people name
// it behind the city.
func isStateOfMany(place analysis.NamedPlace) bool {
	switch place.Code {
	case "us", "ca", "au":
		return place.Kind == analysis.PlaceState
	}
	return false
}

// placesOf returns the places that a reading can mean, those of its name where the
// words say more: north London.
func (p *parser) placesOf(s segment.Span) []analysis.NamedPlace {
	if named := analysis.PlacesNamed(p.words(s)); len(named) > 0 {
		return named
	}
	return analysis.PlacesNamed(analysis.PlaceKey(s.Sense.Place.Name))
}

// isNamesake reports whether a British or Irish area has a state of another country
// behind it, and so is a town there: Kent, Connecticut.
func isNamesake(area, state analysis.NamedPlace) bool {
	return area.Kind == analysis.PlaceMetro && (area.Code == "gb" || area.Code == "ie") && isStateOfMany(state)
}

// alternativePlace names a place with what it lies in.
func alternativePlace(place analysis.NamedPlace) string {
	if place.Kind != analysis.PlaceCity && place.Kind != analysis.PlaceState {
		return query.Alternative{Text: place.Name}.String()
	}
	return query.Alternative{Text: place.Qualified()}.String()
}
