package lexicon

import (
	"math"
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
)

// readWordsThatArePlaces reads which names of places are words first.
func (l *Lexicon) readWordsThatArePlaces() {
	set := func(file string, in map[string]bool, to bool) {
		for _, r := range rows(file) {
			for _, f := range r.forms(0) {
				in[analysis.PlaceKey(f.text)] = to
			}
		}
	}
	set("place_words.txt", l.placeWords, true)
	set("place_words_more.txt", l.placeWords, true)
	set("places_first.txt", l.placeWords, false)
	set("not_places.txt", l.notPlaces, true)
}

// readNationalities reads the adjectives and inhabitants of places.
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

// named finds the place of a kind and name.
func (l *Lexicon) named(kind, name string) (analysis.NamedPlace, bool) {
	for _, p := range analysis.PlacesNamed(analysis.PlaceKey(name)) {
		if string(p.Kind) == kind {
			return p, true
		}
	}
	return analysis.NamedPlace{}, false
}

// areaWords stand around the name of a place for what lies around it.
func areaWords() []string {
	return []string{" metropolitan area", " metropolitan region", " metro area", " and surroundings", " area", " metro", " region", " city", " vicinity"}
}

// places returns what places a key names. A name with a word for the area
// around it means the metro area where there is one, else the place itself.
func (l *Lexicon) places(key string) []Sense {
	if l.notPlaces[key] {
		return nil
	}
	if found := l.placesCalled(key); len(found) > 0 {
		return found
	}
	inner := strings.TrimPrefix(key, "greater ")
	for _, w := range areaWords() {
		if rest, cut := strings.CutSuffix(inner, w); cut {
			inner = rest
			break
		}
	}
	inner = strings.TrimPrefix(inner, "the ")
	if inner == key || inner == "" || l.notPlaces[inner] {
		return nil
	}
	found := l.placesCalled(inner)
	return slices.DeleteFunc(found, func(s Sense) bool { return s.NeedsCue || len(inner) < 3 && s.Type == Country })
}

func (l *Lexicon) placesCalled(key string) []Sense {
	var out []Sense
	for _, p := range analysis.PlacesNamed(key) {
		s := placeSense(p)
		known := slices.ContainsFunc(out, func(o Sense) bool { return o.Type == s.Type && o.Name == s.Name })
		if !known && l.plausible(key, &s) {
			out = append(out, s)
		}
	}
	return out
}

// Filters and types by kind of place.
func placeSense(p analysis.NamedPlace) Sense {
	s := Sense{Name: p.Name, Values: []string{alternative(p.Name)}, Place: &p}
	switch p.Kind {
	case analysis.PlaceCountry:
		s.Type, s.Name, s.Filter, s.Prior = Country, p.Code, query.FilterCountry, 10
	case analysis.PlaceState:
		s.Type, s.Name, s.Filter, s.Prior = State, p.Code+"/"+p.Name, query.FilterState, 6
		if p.Code == "us" || p.Code == "gb" || p.Code == "ca" || p.Code == "au" || p.Code == "de" || p.Code == "in" {
			s.Prior = 8.5
		}
	case analysis.PlaceCity:
		s.Type, s.Name, s.Filter = City, p.Qualified(), query.FilterCity
		s.Prior = math.Min(9.5, math.Log(1+float64(p.Population)/1000)+0.5)
	case analysis.PlaceMetro:
		s.Type, s.Name, s.Filter, s.Prior = Metro, p.Metro, query.FilterMetro, 9
	case analysis.PlaceRegion:
		s.Type, s.Name, s.Filter, s.Prior = Region, p.Region, query.FilterRegion, 9
	}
	return s
}

// Limits of what is taken for a place.
const (
	// bigCity is how many inhabitants make a city's name a city before a word.
	bigCity = 1_500_000
	// knownAbroad is how many inhabitants a city has whose name in another
	// language is taken for it.
	knownAbroad = 60_000
)

// plausible drops the senses that only the gazetteer thinks of, and marks those
// that need a cue.
func (l *Lexicon) plausible(key string, s *Sense) bool {
	p := s.Place
	letters := len(strings.ReplaceAll(key, " ", ""))
	first, listed := l.placeWords[key]
	word := first || !listed && l.isOtherWord(key)
	switch {
	case letters <= 3:
		return l.plausibleShort(key, s, word)
	case p.Kind == analysis.PlaceCity && p.Alias && (word || p.Population < knownAbroad):
		return false
	case p.Kind == analysis.PlaceState && p.Alias && word:
		s.NeedsCue = true
	}
	if word && p.Population < bigCity && p.Kind != analysis.PlaceCountry && p.Kind != analysis.PlaceMetro {
		s.NeedsCue = true
	}
	if s.NeedsCue {
		s.Prior -= 4
	}
	return true
}

// plausibleShort decides on names of up to three letters: mostly codes.
func (l *Lexicon) plausibleShort(key string, s *Sense, word bool) bool {
	switch s.Place.Kind {
	case analysis.PlaceCountry:
		if !s.Place.Alias { // Oman has four; no English name is shorter but by a code
			return true
		}
		if !isCountryShort(key) {
			return false
		}
	case analysis.PlaceState:
		if s.Place.Alias && s.Place.Code != "us" {
			if s.Place.Code != "ca" && s.Place.Code != "au" {
				return false
			}
			s.Prior -= 2
		}
	case analysis.PlaceCity:
		if s.Place.Alias && s.Place.Population < 500_000 {
			return false
		}
	}
	s.NeedsCue = word
	if word {
		s.Prior -= 5
	}
	return true
}

// isCountryShort lists the short names of countries that people write.
func isCountryShort(key string) bool {
	switch key {
	case "uk", "us", "usa", "uae", "nz", "ksa", "rsa", "drc", "prc", "roc", "rok", "brd", "hk", "sg", "gbr", "eua",
		"de", "fr", "nl", "ie", "ch", "pl", "se", "dk", "fi", "jp", "br", "mx", "za", "cz", "kr", "ph", "vn", "es", "pt", "ru", "ro", "gr", "hu", "il":
		return true
	}
	return false
}

// isOtherWord reports whether the lexicon knows the key as a word of grammar or
// of titles.
func (l *Lexicon) isOtherWord(key string) bool {
	for _, e := range l.entries[key] {
		switch e.sense.Type {
		case Cue, Filler, PersonWord, CompanyWord, Head, Role, Skill, Function, Judgement, Seniority, Modifier, Degree, Industry, SizeWord:
			return true
		}
	}
	return false
}
