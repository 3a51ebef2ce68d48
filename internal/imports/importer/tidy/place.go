package tidy

import (
	"cmp"
	"slices"
	"strings"

	"kith"
	"kith/query/gazetteer"
	"kith/query/tokenizer"
)

// Location normalises a location. Its parts may be in any language or abbreviated. Without city and state it parses
// text instead. Countries, states and cities get their English names. A missing country is added if the city is
// unambiguous. Unknown names stay as they are.
func Location(text string, parts kith.Location) kith.Location {
	l := kith.Location{City: placeText(parts.City), State: placeText(parts.State), Country: placeText(parts.Country)}
	stateGiven := l.State != ""
	if l.City == "" && l.State == "" {
		country := l.Country
		if l, stateGiven = placeOfText(text); l.IsZero() {
			l.Country = country
		} else if country != "" && l.Country == "" && !strings.Contains(l.City, ",") {
			l.Country = country
		}
	} else if strings.Contains(l.City, ",") && l.State == "" {
		given, state := placeOfText(l.City)
		l.City, l.State, stateGiven = given.City, given.State, state
		l.Country = cmp.Or(l.Country, given.Country)
	}
	if l.IsZero() {
		return l
	}
	t := gazetteer.Place(l)
	city, _, _ := strings.Cut(t.CityName, ", ") // the names of some areas include their country
	out := kith.Location{City: inUse(Cased(city)), Country: inUse(Cased(t.CountryName))}
	if stateGiven {
		out.State = Cased(t.StateName)
	}
	return out
}

// inUse returns the common English name of a place.
func inUse(name string) string {
	if other, ok := words().placeNames[name]; ok {
		return other
	}
	return name
}

// placeText cleans one part of a location: it removes brackets, post codes and words such as remote.
func placeText(s string) string {
	s = Text(s)
	if s == "" {
		return ""
	}
	if i := strings.IndexAny(s, "([|;•"); i > 0 {
		s = s[:i]
	}
	s, _, _ = strings.Cut(s, " / ")
	var parts []string
	all := strings.Split(s, ",")
	for _, part := range all {
		ws := strings.Fields(part)
		if len(all) > 1 && isStreet(ws) {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(ws),
			func(w string) bool { return isAnywhere(w) || isPostCode(w) && len(ws) > 1 })
		if len(kept) > 1 || len(kept) == 1 && !isPostCode(kept[0]) {
			parts = append(parts, strings.Join(kept, " "))
		}
	}
	return strings.Join(parts, ", ")
}

// isAnywhere reports words for remote work, and punctuation alone.
func isAnywhere(w string) bool {
	w = strings.ToLower(strings.Trim(w, "-–:/"))
	return slices.Contains([]string{"", "remote", "hybrid", "onsite", "on-site"}, w)
}

// isStreet reports whether words include a house number of at most three digits.
func isStreet(ws []string) bool {
	return len(ws) > 1 && slices.ContainsFunc(ws, func(w string) bool {
		n := len(digits(w))
		return n > 0 && n <= 3 && len(w) <= n+1 && (len(w) == n || w[n] >= 'a')
	})
}

// isPostCode reports whether a word contains a digit.
func isPostCode(w string) bool { return strings.ContainsAny(w, "0123456789") }

// placeOfText parses a location; stateGiven is true if it names a state.
func placeOfText(text string) (l kith.Location, stateGiven bool) {
	text = placeText(text)
	parts := strings.Split(text, ", ")
	if len(parts) > 3 { // an address
		parts = parts[len(parts)-3:]
	}
	if len(parts) == 1 {
		return placeOfName(text)
	}
	last := parts[len(parts)-1]
	if len(parts) == 2 {
		l := kith.Location{City: strings.Join(parts, ", ")}
		stateGiven = true
		for _, p := range gazetteer.PlacesNamed(gazetteer.PlaceKey(last)) {
			if p.Kind == gazetteer.PlaceCountry && p.Code == gazetteer.Place(l).Country {
				stateGiven = false
			}
		}
		outer := gazetteer.PlacesNamed(gazetteer.PlaceKey(parts[0]))
		if len(outer) > 0 && outer[0].Kind == gazetteer.PlaceState && !hasCity(outer) && !stateGiven {
			return kith.Location{State: parts[0], Country: last}, true // California, United States
		}
		return l, stateGiven
	}
	return kith.Location{City: strings.Join(parts, ", ")}, true
}

// placeOfName interprets a single name: a country, a state or a city.
func placeOfName(name string) (l kith.Location, stateGiven bool) {
	places := gazetteer.PlacesNamed(gazetteer.PlaceKey(name))
	for _, p := range places {
		if p.Kind == gazetteer.PlaceCountry {
			return kith.Location{Country: name}, false
		}
	}
	if len(places) > 0 && places[0].Kind == gazetteer.PlaceState && !hasCity(places) {
		return kith.Location{State: name}, true
	}
	return kith.Location{City: name}, false
}

// largeCity is the population from which a name means the city rather than the state of the same name.
const largeCity = 100_000

// hasCity reports whether a name means a large city: by its own name, or by an alias that is also the state's (Wien).
func hasCity(places []gazetteer.NamedPlace) bool {
	for _, p := range places {
		if p.Kind == gazetteer.PlaceCity && (!p.Alias || tokenizer.Fold(p.Name) == tokenizer.Fold(places[0].Name)) &&
			p.Population >= largeCity {
			return true
		}
	}
	return false
}
