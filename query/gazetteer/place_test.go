package gazetteer_test

import (
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/gazetteer"
	"kith/query/indexed"
)

// examples returns places and the texts about each, from a file of testdata with lines "city | state | country → text |
// text".
func examples(t *testing.T, name string) iter.Seq2[kith.Location, []string] {
	t.Helper()
	cells := func(line string) []string {
		all := strings.Split(line, "|")
		for i := range all {
			all[i] = strings.TrimSpace(all[i])
		}
		return all
	}
	return func(yield func(kith.Location, []string) bool) {
		for place, texts := range expect.Examples(t, "testdata/"+name) {
			in := cells(place)
			if !yield(kith.Location{City: in[0], State: in[1], Country: in[2]}, cells(texts)) {
				return
			}
		}
	}
}

func TestPlace(t *testing.T) {
	for in, want := range examples(t, "places.txt") {
		wantCountry, wantState, wantCity, wantMetro := want[0], want[1], want[2], want[3]
		got := gazetteer.Place(in)
		city := ""
		if n := len(got.City); n > 0 {
			city = got.City[n-1]
		}
		if got.Country != wantCountry || got.State != wantState || city != wantCity {
			t.Errorf("Place(%+v) = %q, %q, %q; want %q, %q, %q", in, got.Country, got.State, city, wantCountry,
				wantState, wantCity)
		}
		if wantMetro != "" && !slices.Contains(got.Metro, wantMetro) || wantMetro == "" && len(got.Metro) > 0 {
			t.Errorf("Place(%+v) is in the areas %q; want %q", in, got.Metro, wantMetro)
		}
	}
}

func TestPlaceNames(t *testing.T) {
	got := gazetteer.Place(kith.Location{City: "nyc", State: "ny", Country: "usa"})
	if got.CityName != "New York" || got.StateName != "New York" || got.CountryName != "United States" {
		t.Errorf("the names are %q, %q, %q", got.CityName, got.StateName, got.CountryName)
	}
	got = gazetteer.Place(kith.Location{City: "Atlantis", State: "Deep", Country: "Sea"})
	if got.CityName != "Atlantis" || got.StateName != "Deep" || got.Place[1] != "atlantis|deep|sea" {
		t.Errorf("an unknown place became %+v", got)
	}
}

func TestCountriesBelongToTheirRegions(t *testing.T) {
	for _, tt := range []struct{ country, in, out string }{
		{"Germany", "europe eu dach emea central_europe western_europe", "nordics apac asia cee"},
		{"Switzerland", "europe dach emea", "eu"},
		{"United Kingdom", "europe uki emea", "eu"},
		{"Sweden", "nordics scandinavia europe eu", "baltics"},
		{"Finland", "nordics europe", "scandinavia"},
		{"Estonia", "baltics cee eu europe", "nordics"},
		{"Belgium", "benelux eu", "dach"},
		{"Spain", "iberia eu", "latam"},
		{"Poland", "cee eu central_europe", "dach"},
		{"Turkey", "", "europe eu asia mena"},
		{"Georgia", "caucasus", "europe eu"},
		{"Russia", "cis", "europe"},
		{"Brazil", "latam south_america americas", "north_america"},
		{"Mexico", "latam north_america americas", "south_america"},
		{"United States", "north_america americas", "latam emea"},
		{"Japan", "apac asia east_asia", "sea anz"},
		{"Australia", "anz apac oceania", "asia"},
		{"Singapore", "sea apac asia", "anz"},
		{"India", "south_asia apac asia", "sea"},
		{"United Arab Emirates", "gcc middle_east mena emea asia", "africa"},
		{"Israel", "middle_east mena emea", "gcc"},
		{"Egypt", "africa north_africa mena emea", "sub_saharan_africa"},
		{"Nigeria", "africa west_africa sub_saharan_africa emea", "mena"},
		{"South Africa", "africa southern_africa emea", "west_africa"},
	} {
		got := gazetteer.Place(kith.Location{Country: tt.country}).Region
		for id := range strings.FieldsSeq(tt.in) {
			if !slices.Contains(got, id) {
				t.Errorf("%s is in %q, but should be in %s", tt.country, got, id)
			}
		}
		for id := range strings.FieldsSeq(tt.out) {
			if slices.Contains(got, id) {
				t.Errorf("%s is in %q, but should not be in %s", tt.country, got, id)
			}
		}
	}
	dc := gazetteer.Place(kith.Location{City: "Washington", State: "DC", Country: "US"})
	if !slices.Contains(dc.Region, "us_east_coast") {
		t.Errorf("Washington DC is in %q", dc.Region)
	}
}

// The name of one city may be an alias of another. It finds both; a country beside it decides. An unknown state does
// not stand for the whole country.
func TestAmbiguousCityNamesFindEveryCity(t *testing.T) {
	for _, tt := range []struct {
		filters query.Filters
		city    string
		country string
		want    bool
	}{
		{query.Filters{"city": "Delhi"}, "New Delhi", "India", true},
		{query.Filters{"city": "Delhi"}, "Delhi", "India", true},
		{query.Filters{"city": "Newcastle"}, "Newcastle upon Tyne", "United Kingdom", true},
		{query.Filters{"city": "Newcastle"}, "Newcastle", "Australia", true},
		{query.Filters{"city": "Newcastle", "country": "UK"}, "Newcastle upon Tyne", "United Kingdom", true},
		{query.Filters{"city": "Newcastle", "country": "UK"}, "Newcastle", "Australia", false},
		{query.Filters{"city": "Salvador"}, "Salvador", "Brazil", true},
		{query.Filters{"country": "France"}, "Paris", "França", true},
		{query.Filters{"city": `"Newcastle, Australia"`}, "Newcastle upon Tyne", "United Kingdom", false},
		{query.Filters{"city": `"Guildford, Surrey, UK"`}, "Guildford", "United Kingdom", true},
		{query.Filters{"city": `"Shoreditch, London, UK"`}, "Shoreditch", "United Kingdom", true},
		{query.Filters{"city": `"Portland, , USA"`}, "Portland", "United States", true},
		{query.Filters{"city": `"Portland, Oregn, USA"`}, "Portland", "United States", false},
	} {
		c, problems := analysis.Compile(tt.filters, time.Now())
		if problems != nil {
			t.Fatal(problems)
		}
		doc, err := analysis.Person(kith.Person{
			ID: 1, FullName: "X", Location: kith.Location{City: tt.city, Country: tt.country},
		}, 0, 1)
		expect.NoError(t, err)
		if got := indexed.Match(doc, c.Query); got != tt.want {
			t.Errorf("%v finds %s, %s: %t", tt.filters, tt.city, tt.country, got)
		}
	}
}

func rows(t *testing.T, table string) [][]string {
	t.Helper()
	text, err := os.ReadFile("data/" + table)
	expect.NoError(t, err)
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSpace(line), "\t"))
		}
	}
	return rows
}

func TestCityAliasesMeanTheirCity(t *testing.T) {
	for _, cols := range rows(t, "city_aliases.tsv") {
		place := strings.Split(cols[0], "|")
		city := gazetteer.PlaceKey(place[0])
		for name := range strings.SplitSeq(cols[1], ";") {
			name = strings.TrimSpace(name)
			got := gazetteer.Place(kith.Location{City: name, Country: place[2]})
			if !slices.Contains(got.City, city) && len(got.Metro) == 0 && !isAnother(name) {
				t.Errorf("%q in %s is %q; want %q", name, place[2], got.City, city)
			}
		}
	}
}

// isAnother reports whether an alias is also the name of another city, which then takes precedence.
func isAnother(name string) bool {
	return name == "Frisco" || name == "Canton" || name == "Newcastle" || name == "Baroda" || name == "Delhi"
}
