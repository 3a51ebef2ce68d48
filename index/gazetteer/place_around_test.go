package gazetteer_test

import (
	"slices"
	"testing"

	"kith/index/gazetteer"
)

func TestPlacesAround(t *testing.T) {
	for _, c := range []struct {
		kind gazetteer.PlaceKind
		text string
		want []string
	}{
		{gazetteer.PlaceCity, "Palo Alto", []string{
			"metro Silicon Valley", "metro San Francisco Bay Area", "metro Santa Clara County, California",
			"metro San Francisco Peninsula",
			"state California, United States", "country United States",
		}},
		{gazetteer.PlaceCity, "München", []string{
			"metro Munich Metropolitan Area", "metro Upper Bavaria",
			"state Bavaria, Germany", "country Germany",
		}},
		{
			gazetteer.PlaceCity, "Paris, Texas",
			[]string{"metro East Texas", "state Texas, United States", "country United States"},
		},
		{gazetteer.PlaceState, "Bayern", []string{"country Germany"}},
		{gazetteer.PlaceMetro, "Bay Area", []string{"country United States"}},
		{gazetteer.PlaceCountry, "Germany", nil},
		{gazetteer.PlaceRegion, "Lebanon", nil}, // not a city in Tennessee
		{gazetteer.PlaceRegion, "Bavaria", []string{"country Germany"}},
		{gazetteer.PlaceCity, "Nowhere", nil},
	} {
		var got []string
		for _, p := range gazetteer.PlacesAround(c.kind, c.text) {
			got = append(got, string(p.Kind)+" "+p.Qualified())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %q lies in %q, want %q", c.kind, c.text, got, c.want)
		}
	}
}

func TestRegionAround(t *testing.T) {
	for _, c := range []struct {
		kind       gazetteer.PlaceKind
		text, want string
	}{
		{gazetteer.PlaceCountry, "Germany", "DACH"},
		{gazetteer.PlaceCountry, "India", "South Asia"},
		{gazetteer.PlaceCity, "Paris", "Western Europe"},
		{gazetteer.PlaceState, "Bavaria", "DACH"},
		{gazetteer.PlaceCity, "São Paulo", "South America"},
		{gazetteer.PlaceCity, "Dubai", "GCC"},
		{gazetteer.PlaceRegion, "India", "South Asia"},
		{gazetteer.PlaceRegion, "Bavaria", "DACH"},
		{gazetteer.PlaceRegion, "DACH", ""},
		{gazetteer.PlaceCity, "Nowhere", ""},
	} {
		if got, ok := gazetteer.RegionAround(c.kind, c.text); got.Name != c.want || ok != (c.want != "") {
			t.Errorf("%s %q lies in %q, want %q", c.kind, c.text, got.Name, c.want)
		}
	}
}
