package lexicon

import (
	"math"
	"slices"
	"strings"

	"kith/query"
	"kith/query/gazetteer"
	"kith/query/prompt/words"
)

// readWordsThatArePlaces reads the place names that are primarily ordinary words.
func (l *Lexicon) readWordsThatArePlaces() {
	set := func(file string, in map[string]bool, to bool) {
		for _, r := range rows(file) {
			for _, f := range r.forms(0) {
				in[gazetteer.PlaceKey(f.text)] = to
			}
		}
	}
	set("place_words.txt", l.placeWords, true)
	set("places_first.txt", l.placeWords, false)
	set("not_places.txt", l.notPlaces, true)
}

// readNationalities reads adjectives and inhabitants of places.
func (l *Lexicon) readNationalities() {
	for _, file := range []string{"nationalities.tsv", "inhabitants.tsv"} {
		for _, r := range rows(file) {
			place, ok := l.named(r.column(0), r.column(1))
			if !ok {
				continue
			}
			s := placeSense(place)
			s.Type = Nationality
			for _, f := range r.forms(2) {
				l.addNoun(f.text, &s, weakened(8, f), f.needsCue)
			}
		}
	}
}

// named finds a place by kind and name.
func (l *Lexicon) named(kind, name string) (gazetteer.NamedPlace, bool) {
	for _, p := range gazetteer.PlacesNamed(gazetteer.PlaceKey(name)) {
		if string(p.Kind) == kind {
			return p, true
		}
	}
	return gazetteer.NamedPlace{}, false
}

// places returns the places that a key names. With words for the surroundings, a name means the metro area if there
// is one, else the place itself. A part of a place means the place. An unknown county means the city of its name.
func (l *Lexicon) places(key string) []Sense {
	if l.notPlaces[key] {
		return nil
	}
	if found := l.placesCalled(key); len(found) > 0 {
		return found
	}
	inner := key
	for _, w := range words.All(words.AroundPlace) {
		inner = strings.TrimPrefix(inner, w+" ")
	}
	inner, _ = withoutEnd(inner, words.PlaceAreas)
	if found := l.placesWithin(key, strings.TrimPrefix(inner, "the ")); len(found) > 0 {
		return found
	}
	if inner, cut := withoutEnd(key, words.Counties); cut {
		return slices.DeleteFunc(l.placesWithin(key, inner), func(s Sense) bool { return s.Type != City })
	}
	return slices.DeleteFunc(l.placesWithin(key, outerPlace(key)), func(s Sense) bool {
		return s.Type == Region || s.Type == City && s.Place.Population < knownInParts
	})
}

// withoutEnd removes the first phrase of a list that ends the key.
func withoutEnd(key string, list words.List) (rest string, cut bool) {
	for _, w := range words.All(list) {
		if rest, cut := strings.CutSuffix(key, " "+w); cut {
			return rest, true
		}
	}
	return key, false
}

// placesWithin returns the places named by a part of the key. The part must be more than an ordinary word or a code.
func (l *Lexicon) placesWithin(key, inner string) []Sense {
	if inner == key || inner == "" || l.notPlaces[inner] {
		return nil
	}
	found := l.placesCalled(inner)
	return slices.DeleteFunc(found, func(s Sense) bool { return s.NeedsCue || len(inner) < 3 && s.Type == Country })
}

// outerPlace returns the name of a place without the words for a part of it: north London, downtown
// Chicago, the south side of Dublin. It is empty if there are none.
func outerPlace(key string) string {
	part, rest, _ := strings.Cut(strings.TrimPrefix(key, "the "), " ")
	if words.In(words.PlacePartsOf, part) {
		if !strings.HasPrefix(rest, "of ") { // data center Dublin
			return ""
		}
	} else if !words.In(words.PlaceParts, part) {
		return ""
	}
	if next, after, _ := strings.Cut(rest, " "); words.In(words.PlaceParts, next) { // north east
		rest = after
	}
	for _, noun := range words.All(words.PlacePartNouns) {
		rest = strings.TrimPrefix(rest, noun+" ")
	}
	return strings.TrimPrefix(strings.TrimPrefix(rest, "of "), "the ")
}

func (l *Lexicon) placesCalled(key string) []Sense {
	found := namesakes(gazetteer.PlacesNamed(key))
	var out []Sense
	for _, p := range found {
		if found.overshadow(p) || p.Rare && len(out) > 0 {
			continue
		}
		if i := slices.IndexFunc(out,
			func(o Sense) bool { return p.Kind == gazetteer.PlaceMetro && o.Type == Metro }); i >= 0 {
			out[i].Values = append(out[i].Values, placeSense(p).Values...) // Middlesex County, of two states
			continue
		}
		s := placeSense(p)
		s.Prior = found.adjustForState(p, s.Prior)
		known := slices.ContainsFunc(out, func(o Sense) bool { return o.Type == s.Type && o.Name == s.Name })
		if !known && l.plausible(key, &s) {
			out = append(out, s)
		}
	}
	return out
}

// namesakes are the places with one name.
type namesakes []gazetteer.NamedPlace

// overshadow reports whether namesakes rule a place out: a city with the foreign name of a country
// or state, or a small place with the name of a region.
func (n namesakes) overshadow(p gazetteer.NamedPlace) bool {
	region := slices.ContainsFunc(n, func(p gazetteer.NamedPlace) bool { return p.Kind == gazetteer.PlaceRegion })
	larger := region || slices.ContainsFunc(n, func(p gazetteer.NamedPlace) bool {
		return p.Kind == gazetteer.PlaceCountry || p.Kind == gazetteer.PlaceState && !p.Alias
	})
	switch p.Kind {
	case gazetteer.PlaceCity:
		return larger && p.Alias && !p.ByHand || region && p.Population < bigCity
	case gazetteer.PlaceState:
		return region && p.Code != "us"
	}
	return false
}

// adjustForState adjusts the prior of a place for a state of the same name. The city comes before its
// state, except Québec, which most people call Québec City.
func (n namesakes) adjustForState(p gazetteer.NamedPlace, prior float64) float64 {
	i := slices.IndexFunc(n, func(p gazetteer.NamedPlace) bool { return p.Kind == gazetteer.PlaceState && !p.Alias })
	if i < 0 || p.Kind != gazetteer.PlaceCity || p.Alias || p.Name == "Québec" {
		return prior
	}
	state := n[i]
	large := p.Population > cityBeforeState
	switch {
	case p.LiesIn(state) || p.Code == state.Code && large:
		return math.Max(prior, placeSense(state).Prior+0.3)
	case p.Code != state.Code && p.Population < cityBeforeState && words.In(words.KnownStates, state.Code): // Bali
		return math.Min(prior, placeSense(state).Prior-0.3)
	}
	return prior
}

// placeSense returns the sense of a place, with the type and filter of its kind.
func placeSense(p gazetteer.NamedPlace) Sense {
	s := Sense{Name: p.Name, Values: []string{query.Alternative{Text: p.Name}.String()}, Place: &p}
	switch p.Kind {
	case gazetteer.PlaceCountry:
		s.Type, s.Name, s.Filter, s.Prior = Country, p.Code, query.FilterCountry, 10
	case gazetteer.PlaceState:
		s.Type, s.Name, s.Filter, s.Prior = State, p.Code+"/"+p.Name, query.FilterState, 6
		if words.In(words.StatesWellKnown, p.Code) {
			s.Prior = 8.5
		}
	case gazetteer.PlaceCity:
		s.Type, s.Name, s.Filter = City, p.Qualified(), query.FilterCity
		s.Prior = math.Min(9.5, math.Log(1+float64(p.Population)/1000)+0.5)
		if len(p.Within) > 0 {
			s.Prior = wellKnown
		}
	case gazetteer.PlaceMetro:
		s.Type, s.Name, s.Filter, s.Prior = Metro, p.Metro, query.FilterMetro, 9
		if p.Rare {
			s.needCue(2)
		}
	case gazetteer.PlaceRegion:
		s.Type, s.Name, s.Filter, s.Prior = Region, p.Region, query.FilterRegion, 9
	}
	return s
}

// Thresholds for reading a name as a place.
const (
	// bigCity is the population from which a name means the city rather than an ordinary word.
	bigCity = 1_500_000
	// knownAbroad is the minimum population of a city under a foreign name.
	knownAbroad = 300_000
	// knownMisspelt is the minimum population of a city as a correction.
	knownMisspelt = 150_000
	// cityBeforeState is the population from which a city is likelier than the state of the same
	// name elsewhere: Washington.
	cityBeforeState = 500_000
	// knownInParts is the minimum population of a city whose parts (north, south) people name.
	knownInParts = 150_000
	// wellKnown is the prior of a well-known neighbourhood's name.
	wellKnown = 6.5
)

// knownTown is the population from which on the name of a town that is a frequent word, too, is primarily the town.
const knownTown = 100_000

// plausible reports whether a sense is more than an oddity of the gazetteer. It marks senses that need a cue.
func (l *Lexicon) plausible(key string, s *Sense) bool {
	p := s.Place
	word := l.isAlsoWord(key, p)
	foreign := p.Kind == gazetteer.PlaceCity && p.Alias && !p.ByHand
	switch {
	case p.Kind == gazetteer.PlaceState && !words.In(words.KnownStates, p.Code),
		// as Norfolk Island is called in some language
		p.Kind == gazetteer.PlaceCountry && words.In(words.NoCountries, key):
		return false
	case len(strings.ReplaceAll(key, " ", "")) <= 3:
		return plausibleShort(key, s, word)
	case foreign && (word || p.Population < knownAbroad):
		return false
	}
	if word && isSmall(p) {
		s.needCue(4)
	}
	return true
}

// isAlsoWord reports whether the name of a place is a word with another meaning.
func (l *Lexicon) isAlsoWord(key string, p *gazetteer.NamedPlace) bool {
	if word, listed := l.placeWords[key]; listed {
		return word
	}
	isTown := p.Kind == gazetteer.PlaceCity && p.Population < knownTown
	return isTown && l.IsWord(key) || p.Kind != gazetteer.PlaceRegion && l.isOtherWord(key)
}

// isSmall reports whether a place is neither a country or area nor a big city.
func isSmall(p *gazetteer.NamedPlace) bool {
	return p.Population < bigCity && p.Kind != gazetteer.PlaceCountry && p.Kind != gazetteer.PlaceMetro
}

// plausibleShort judges names of up to three letters, mostly codes.
func plausibleShort(key string, s *Sense, word bool) bool {
	p := s.Place
	if isOddCode(key, p) {
		return false
	}
	switch p.Kind {
	case gazetteer.PlaceCountry:
		word = word || p.Alias && !words.In(words.CountryShorts, key)
	case gazetteer.PlaceState:
		if p.Code != "us" {
			s.Prior -= 2
		}
	case gazetteer.PlaceCity:
		word = word || !p.ByHand && p.Population < bigCity
	}
	if word {
		s.needCue(5)
	}
	return true
}

// isOddCode reports whether a short name of a place is one that hardly anyone writes: other codes of countries are
// ordinary words (in, it, my, no) or those of better known states (ca, de for Delaware).
func isOddCode(key string, p *gazetteer.NamedPlace) bool {
	switch {
	case !p.Alias:
	case p.Kind == gazetteer.PlaceCountry:
		return !words.In(words.CountryShorts, key) && !words.In(words.CountryCodes, key)
	case p.Kind == gazetteer.PlaceState:
		return !words.In(words.StateCodes, p.Code)
	case p.Kind == gazetteer.PlaceCity:
		return !p.ByHand
	}
	return false
}

// needCue marks a sense that needs other evidence, and lowers its prior.
func (s *Sense) needCue(lessLikely float64) {
	s.NeedsCue = true
	s.Prior -= lessLikely
}

// isOtherWord reports whether the key also has another meaning in the lexicon.
func (l *Lexicon) isOtherWord(key string) bool {
	others := []Type{
		Filler, PersonWord, CompanyWord, Head, Role, Skill, Function, Judgement, Seniority, Modifier, Degree,
		Industry, SizeWord, Nationality, Language,
	}
	return slices.ContainsFunc(l.entries[key], func(e entry) bool { return slices.Contains(others, e.sense.Type) })
}
