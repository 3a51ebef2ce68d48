package gazetteer_test

import (
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

// Counties and similar areas may be the city or state of a record, and neighbourhoods its city.
func TestPlacesKnowTheirAreas(t *testing.T) {
	for _, tt := range []struct {
		in          kith.Location
		state, city string // the last of the city terms
		metros      string // some of the areas
		not         string // areas that it is not in
	}{
		{
			kith.Location{City: "Guildford", State: "Surrey", Country: "United Kingdom"},
			"england", "guildford",
			"surrey_gb home_counties_gb", "kent_gb",
		},
		{kith.Location{City: "Guildford", State: "Surrey"}, "england", "guildford", "surrey_gb", ""},
		{kith.Location{City: "Guildford, Surrey"}, "england", "guildford", "surrey_gb", ""},
		{kith.Location{City: "Guildford", Country: "UK"}, "england", "guildford", "surrey_gb", ""},
		{
			kith.Location{City: "Surrey", State: "England", Country: "UK"},
			"england", "surrey", "surrey_gb home_counties_gb",
			"",
		},
		{
			kith.Location{City: "Surrey", State: "BC", Country: "Canada"},
			"british columbia", "surrey", "vancouver_metro",
			"surrey_gb",
		},
		{kith.Location{City: "Surrey"}, "british columbia", "surrey", "vancouver_metro", "surrey_gb"},
		{
			kith.Location{City: "Someplace", State: "County Cork", Country: "Ireland"},
			"county cork", "someplace",
			"county_cork_ie", "",
		},
		{
			kith.Location{City: "Kent", State: "WA", Country: "US"},
			"washington", "kent", "seattle_metro king_county_wa",
			"kent_gb",
		},
		{kith.Location{State: "Kent", Country: "UK"}, "england", "", "kent_gb", ""},
		{kith.Location{City: "Norfolk", Country: "United Kingdom"}, "england", "norfolk", "norfolk_gb east_anglia_gb", ""},
		{kith.Location{City: "Norfolk", State: "Virginia"}, "virginia", "norfolk", "hampton_roads_va", "norfolk_gb"},
		{
			kith.Location{City: "Fairfax County", State: "Virginia", Country: "US"},
			"virginia", "fairfax county",
			"fairfax_county_va", "",
		},
		{
			kith.Location{City: "Orange County", State: "FL", Country: "US"},
			"florida", "orange county", "orange_county_fl",
			"orange_county",
		},
		{kith.Location{City: "Orange County"}, "california", "orange county", "orange_county", "orange_county_fl"},
		{
			kith.Location{City: "Middlesex County", Country: "US"},
			"", "middlesex county", "", "middlesex_county_ma middlesex_county_nj",
		},
		{kith.Location{City: "Silicon Valley", Country: "US"}, "", "silicon valley", "silicon_valley sf_bay_area", ""},
		{kith.Location{City: "Macau", Country: "Macao"}, "", "macau", "greater_bay_area_cn", "pearl_river_delta_cn"},
		{kith.Location{City: "Shoreditch", Country: "UK"}, "england", "london", "london_metro", ""},
		{kith.Location{City: "Shoreditch"}, "england", "london", "london_metro", ""},
		{kith.Location{City: "Shoreditch, London, UK"}, "london", "london", "london_metro", ""},
		{kith.Location{City: "Berlin-Kreuzberg", Country: "Germany"}, "berlin", "berlin", "berlin_metro", ""},
		{
			kith.Location{City: "South of Market", State: "CA", Country: "US"},
			"california", "san francisco", "sf_bay_area",
			"",
		},
		{kith.Location{City: "Williamsburg", State: "NY", Country: "US"}, "new york", "brooklyn", "nyc_metro", ""},
		{kith.Location{City: "Williamsburg, Brooklyn"}, "new york", "brooklyn", "nyc_metro", ""},
		{
			kith.Location{City: "Williamsburg", State: "VA", Country: "US"},
			"virginia", "williamsburg", "hampton_roads_va",
			"nyc_metro",
		},
		{kith.Location{City: "Williamsburg", Country: "US"}, "", "williamsburg", "", "nyc_metro"},
		{
			kith.Location{City: "Chelsea", State: "MA", Country: "US"},
			"massachusetts", "chelsea", "boston_metro",
			"london_metro nyc_metro",
		},
		{kith.Location{City: "London", Country: "UK"}, "england", "london", "london_metro", ""},
	} {
		got := gazetteer.Place(tt.in)
		city := ""
		if n := len(got.City); n > 0 {
			city = got.City[n-1]
		}
		if got.State != tt.state || city != tt.city {
			t.Errorf("Place(%+v) = %q, %q; want %q, %q", tt.in, got.State, city, tt.state, tt.city)
		}
		for _, id := range strings.Fields(tt.metros) {
			if !slices.Contains(got.Metro, id) {
				t.Errorf("Place(%+v) is in %q; want %s", tt.in, got.Metro, id)
			}
		}
		for _, id := range strings.Fields(tt.not) {
			if slices.Contains(got.Metro, id) {
				t.Errorf("Place(%+v) is in %q; want it not in %s", tt.in, got.Metro, id)
			}
		}
	}
}

// Each name in the hand-written tables means what its row says.
func TestNamesInAreaTablesAreUnambiguous(t *testing.T) {
	for _, tt := range []struct {
		table  string
		filter query.FilterName
		field  query.Field
		names  func(cols []string) []string
	}{
		{
			"regions.tsv", query.FilterRegion, query.Region,
			func(c []string) []string { return append(strings.Split(c[2], ";"), c[1]) },
		},
		{
			"metros.tsv", query.FilterMetro, query.Metro,
			func(c []string) []string { return append(strings.Split(c[4], ";"), c[2]) },
		},
		{"areas.tsv", query.FilterMetro, query.Metro, func(c []string) []string { return []string{c[2]} }},
	} {
		for _, cols := range rows(t, tt.table) {
			for _, name := range tt.names(cols) {
				c, problems := analysis.Compile(query.Filters{tt.filter: quoted(strings.TrimSpace(name))}, time.Now())
				want := query.Term{Field: tt.field, Value: cols[0]}
				if problems != nil || c.Query != query.Query(want) {
					t.Errorf("%s: %q means %v, %v; want %v", tt.table, name, c.Query, problems, want)
				}
			}
		}
	}
}

// An alternative name finds all areas that have it. A name with ~ finds its area only together with
// the country or state, and another place alone.
func TestAlternativeNamesFindTheirAreas(t *testing.T) {
	all := append(rows(t, "metros.tsv"), rows(t, "areas.tsv")...)
	called := map[string][]string{}
	for _, cols := range all {
		for name := range strings.SplitSeq(cols[4], "; ") {
			called[name] = append(called[name], cols[0])
		}
	}
	for name, ids := range called {
		plain, rare := strings.CutPrefix(name, "~")
		if plain == "" {
			continue
		}
		c, problems := analysis.Compile(query.Filters{query.FilterMetro: quoted(plain)}, time.Now())
		if problems != nil {
			t.Fatal(problems)
		}
		for _, id := range ids {
			if got := indexed.Match(inArea(id), c.Query); got == rare {
				t.Errorf("%q finds %s: %t", name, id, got)
			}
		}
	}
}

func quoted(text string) string { return query.Alternative{Text: text, Phrase: true}.String() }

// inArea is a document with nothing but an area.
func inArea(id string) indexed.Document {
	return indexed.Document{ID: 1, Fields: indexed.Fields{Keywords: map[query.Field][]string{query.Metro: {id}}}}
}

// Each "+" of a row names another row, and the filter for cities accepts the names of areas.
func TestMembersOfAreasExist(t *testing.T) {
	all := append(rows(t, "metros.tsv"), rows(t, "areas.tsv")...)
	known := map[string]bool{}
	for _, cols := range all {
		if len(cols) != 6 || known[cols[0]] {
			t.Errorf("%q has %d columns, or is a duplicate: %t", cols[0], len(cols), known[cols[0]])
		}
		known[cols[0]] = true
	}
	for _, cols := range all {
		for member := range strings.SplitSeq(cols[5], "; ") {
			if taken, ok := strings.CutPrefix(member, "+"); ok && !known[taken] {
				t.Errorf("%s includes %q, which has no row", cols[0], taken)
			}
		}
		c, problems := analysis.Compile(query.Filters{query.FilterCity: quoted(cols[2])}, time.Now())
		if problems != nil || !indexed.Match(inArea(cols[0]), c.Query) {
			t.Errorf("%s: %q does not find it in the filter for cities: %v, %v", cols[0], cols[2], c.Query, problems)
		}
	}
}

// A record with a neighbourhood and its city is found by any name of the neighbourhood, and by the
// city. A record with the city alone is not found by the neighbourhood.
func TestNeighbourhoodsAreFoundByNameAndCity(t *testing.T) {
	for _, cols := range rows(t, "neighbourhoods.tsv") {
		code, state, _ := strings.Cut(cols[0], "/")
		city, _, _ := strings.Cut(cols[1], "; ")
		for name := range strings.SplitSeq(cols[2], "; ") {
			in := kith.Location{City: name + ", " + city, State: state, Country: code}
			whole := kith.Location{City: city, State: state, Country: code}
			for _, tt := range []struct {
				filter string
				where  kith.Location
				want   bool
			}{
				{quoted(name), in, true},
				{quoted(name + ", " + city), in, true},
				{quoted(city), in, true},
				{quoted(name), whole, false},
			} {
				if got := livesIn(t, tt.where, tt.filter); got != tt.want {
					t.Errorf("%s, city %s: finds %+v: %t", cols[0], tt.filter, tt.where, got)
				}
			}
		}
	}
}

// livesIn reports whether a filter for cities finds a person at a location.
func livesIn(t *testing.T, where kith.Location, city string) bool {
	t.Helper()
	c, problems := analysis.Compile(query.Filters{query.FilterCity: city}, time.Now())
	if problems != nil {
		t.Fatal(problems)
	}
	doc, err := analysis.Person(kith.Person{ID: 1, FullName: "X", Location: where}, 0, 1)
	expect.NoError(t, err)
	return indexed.Match(doc, c.Query)
}
