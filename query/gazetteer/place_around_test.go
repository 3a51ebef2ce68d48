package gazetteer_test

import (
	"slices"
	"testing"

	"kith/query/gazetteer"
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

func TestRegionsAround(t *testing.T) {
	for _, c := range []struct {
		kind gazetteer.PlaceKind
		text string
		want []string
	}{
		{gazetteer.PlaceCountry, "Germany", []string{"DACH", "Europe"}},
		{gazetteer.PlaceCountry, "India", []string{"South Asia", "Asia"}},
		{gazetteer.PlaceCity, "Amsterdam", []string{"Benelux", "Europe"}},
		{gazetteer.PlaceCity, "Paris", []string{"Western Europe", "Europe"}},
		{gazetteer.PlaceState, "Bavaria", []string{"DACH", "Europe"}},
		{gazetteer.PlaceCity, "São Paulo", []string{"South America", "Americas"}},
		{gazetteer.PlaceCountry, "United States", []string{"North America", "Americas"}},
		{gazetteer.PlaceCity, "Dubai", []string{"GCC", "Asia"}},
		{gazetteer.PlaceCity, "Cairo", []string{"Middle East", "Africa"}},
		{gazetteer.PlaceCity, "Sydney", []string{"Oceania"}},
		{gazetteer.PlaceCity, "Istanbul", nil},
		{gazetteer.PlaceRegion, "India", []string{"South Asia", "Asia"}},
		{gazetteer.PlaceRegion, "Bavaria", []string{"DACH", "Europe"}},
		{gazetteer.PlaceRegion, "DACH", []string{"Central Europe", "Europe"}},
		{gazetteer.PlaceRegion, "Europe", []string{"EMEA"}},
		{gazetteer.PlaceRegion, "US West Coast", []string{"North America", "Americas"}},
		{gazetteer.PlaceCity, "Nowhere", nil},
	} {
		var got []string
		for _, p := range gazetteer.RegionsAround(c.kind, c.text) {
			got = append(got, p.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %q lies in %q, want %q", c.kind, c.text, got, c.want)
		}
	}
}
