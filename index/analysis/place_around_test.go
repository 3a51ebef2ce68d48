package analysis_test

import (
	"slices"
	"testing"

	"kith/index/analysis"
)

func TestPlacesAround(t *testing.T) {
	for _, c := range []struct {
		kind analysis.PlaceKind
		text string
		want []string
	}{
		{analysis.PlaceCity, "Palo Alto", []string{
			"metro Silicon Valley", "metro San Francisco Bay Area", "metro Santa Clara County, California",
			"metro San Francisco Peninsula",
			"state California, United States", "country United States",
		}},
		{analysis.PlaceCity, "München", []string{
			"metro Munich Metropolitan Area", "metro Upper Bavaria",
			"state Bavaria, Germany", "country Germany",
		}},
		{
			analysis.PlaceCity, "Paris, Texas",
			[]string{"metro East Texas", "state Texas, United States", "country United States"},
		},
		{analysis.PlaceState, "Bayern", []string{"country Germany"}},
		{analysis.PlaceMetro, "Bay Area", []string{"country United States"}},
		{analysis.PlaceCountry, "Germany", nil},
		{analysis.PlaceCity, "Nowhere", nil},
	} {
		var got []string
		for _, p := range analysis.PlacesAround(c.kind, c.text) {
			got = append(got, string(p.Kind)+" "+p.Qualified())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %q lies in %q, want %q", c.kind, c.text, got, c.want)
		}
	}
}

func TestRegionAround(t *testing.T) {
	for _, c := range []struct {
		kind       analysis.PlaceKind
		text, want string
	}{
		{analysis.PlaceCountry, "Germany", "DACH"},
		{analysis.PlaceCountry, "India", "South Asia"},
		{analysis.PlaceCity, "Paris", "Western Europe"},
		{analysis.PlaceState, "Bavaria", "DACH"},
		{analysis.PlaceCity, "São Paulo", "South America"},
		{analysis.PlaceCity, "Dubai", "GCC"},
		{analysis.PlaceCity, "Nowhere", ""},
	} {
		if got, ok := analysis.RegionAround(c.kind, c.text); got.Name != c.want || ok != (c.want != "") {
			t.Errorf("%s %q lies in %q, want %q", c.kind, c.text, got.Name, c.want)
		}
	}
}
