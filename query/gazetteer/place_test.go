package gazetteer_test

import (
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

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		in      kith.Location
		country string
		state   string
		city    string // the last of the city terms
		metro   string
	}{
		{kith.Location{}, "", "", "", ""},
		{kith.Location{City: "Berlin", Country: "Germany"}, "de", "berlin", "berlin", "berlin_metro"},
		{kith.Location{City: "Berlin", Country: "Deutschland"}, "de", "berlin", "berlin", "berlin_metro"},
		{kith.Location{City: "München", Country: "Germany"}, "de", "bavaria", "munich", "munich_metro"},
		{kith.Location{City: "Muenchen", Country: "DE"}, "de", "bavaria", "munich", "munich_metro"},
		{kith.Location{City: "Munich", State: "Bayern", Country: "DEU"}, "de", "bavaria", "munich", "munich_metro"},
		{kith.Location{City: "Köln", Country: "Germany"}, "de", "north rhine westphalia", "koln", "rhine_ruhr"},
		{kith.Location{City: "Cologne", Country: "Germany"}, "de", "north rhine westphalia", "koln", "rhine_ruhr"},
		{kith.Location{City: "Frankfurt", Country: "Germany"}, "de", "hesse", "frankfurt am main", "rhine_main"},
		{kith.Location{City: "NYC"}, "us", "new york", "new york", "nyc_metro"},
		{kith.Location{City: "New York", State: "NY", Country: "USA"}, "us", "new york", "new york", "nyc_metro"},
		{
			kith.Location{City: "New York City", State: "New York", Country: "United States"},
			"us", "new york", "new york",
			"nyc_metro",
		},
		{kith.Location{City: "Brooklyn", State: "NY", Country: "US"}, "us", "new york", "brooklyn", "nyc_metro"},
		{kith.Location{City: "SF", Country: "US"}, "us", "california", "san francisco", "sf_bay_area"},
		{
			kith.Location{City: "San Francisco", State: "California", Country: "United States"},
			"us", "california",
			"san francisco", "sf_bay_area",
		},
		{kith.Location{City: "Palo Alto", State: "CA", Country: "USA"}, "us", "california", "palo alto", "sf_bay_area"},
		{
			kith.Location{City: "San Francisco Bay Area", Country: "United States"},
			"us", "", "san francisco bay area",
			"sf_bay_area",
		},
		{kith.Location{City: "Greater Boston"}, "us", "", "greater boston", "boston_metro"},
		{
			kith.Location{City: "Washington", State: "DC", Country: "United States"},
			"us", "district of columbia", "washington",
			"dc_metro",
		},
		{kith.Location{City: "Portland", State: "OR", Country: "US"}, "us", "oregon", "portland", "portland_metro"},
		{kith.Location{City: "Portland", State: "ME", Country: "US"}, "us", "maine", "portland", "southern_maine_me"},
		{kith.Location{City: "Paris", State: "Texas"}, "us", "texas", "paris", "east_texas_tx"},
		{kith.Location{City: "Paris, TX"}, "us", "texas", "paris", "east_texas_tx"},
		{kith.Location{City: "Paris, France"}, "fr", "ile de france", "paris", "paris_metro"},
		{kith.Location{City: "Paris"}, "fr", "ile de france", "paris", "paris_metro"},
		{kith.Location{City: "Atlanta, Georgia"}, "us", "georgia", "atlanta", "atlanta_metro"},
		{kith.Location{City: "Tbilisi, Georgia"}, "ge", "tbilisi", "tbilisi", ""},
		{kith.Location{City: "San Jose, CA"}, "us", "california", "san jose", "sf_bay_area"},
		{kith.Location{City: "Toronto, Ontario, Canada"}, "ca", "ontario", "toronto", "toronto_metro"},
		{kith.Location{City: "Springfield", Country: "US"}, "us", "", "springfield", ""},
		{kith.Location{City: "Valencia"}, "", "", "valencia", ""},
		{
			kith.Location{City: "Perth", State: "WA", Country: "Australia"},
			"au", "western australia", "perth",
			"greater_perth_au",
		},
		{kith.Location{City: "Seattle", State: "WA", Country: "US"}, "us", "washington", "seattle", "seattle_metro"},
		{kith.Location{City: "Edinburgh", Country: "Scotland"}, "gb", "scotland", "edinburgh", "lothian_gb"},
		{kith.Location{City: "London", State: "England", Country: "UK"}, "gb", "england", "london", "london_metro"},
		{kith.Location{City: "Zürich", Country: "Switzerland"}, "ch", "zurich", "zurich", "zurich_metro"},
		{kith.Location{City: "São Paulo", Country: "Brasil"}, "br", "sao paulo", "sao paulo", "sao_paulo_metro"},
		{kith.Location{City: "Bangalore", Country: "India"}, "in", "karnataka", "bengaluru", "bangalore_metro"},
		{kith.Location{City: "東京", Country: "日本"}, "jp", "tokyo", "tokyo", "tokyo_metro"},
		{kith.Location{City: "Αθήνα", Country: "Ελλάδα"}, "gr", "attica", "athens", ""},
		{kith.Location{Country: "ประเทศไทย"}, "th", "", "", ""},
		{kith.Location{Country: "السعودية"}, "sa", "", "", ""},
		{kith.Location{Country: "България"}, "bg", "", "", ""},
		{kith.Location{Country: "Србија"}, "rs", "", "", ""},
		{kith.Location{Country: "香港"}, "hk", "", "", ""},
		{kith.Location{Country: "한국"}, "kr", "", "", ""},
		{kith.Location{City: "Atlantis", Country: "Poseidonia"}, "poseidonia", "", "atlantis", ""},
		{kith.Location{City: "Atlantis"}, "", "", "atlantis", ""},
		{kith.Location{State: "California"}, "us", "california", "", ""},
		{kith.Location{Country: "Holland"}, "nl", "", "", ""},
		{kith.Location{Country: "United Arab Emirates"}, "ae", "", "", ""},
	} {
		got := gazetteer.Place(tt.in)
		city := ""
		if n := len(got.City); n > 0 {
			city = got.City[n-1]
		}
		if got.Country != tt.country || got.State != tt.state || city != tt.city {
			t.Errorf("Place(%+v) = %q, %q, %q; want %q, %q, %q", tt.in, got.Country, got.State, city, tt.country, tt.state,
				tt.city)
		}
		if tt.metro != "" && !slices.Contains(got.Metro, tt.metro) || tt.metro == "" && len(got.Metro) > 0 {
			t.Errorf("Place(%+v) is in the areas %q; want %q", tt.in, got.Metro, tt.metro)
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

// lives are the people in the tests of place filters.
func lives() map[string]kith.Location {
	return map[string]kith.Location{
		"berlin":      {City: "Berlin", Country: "Germany"},
		"munich":      {City: "München", State: "Bayern", Country: "Germany"},
		"frankfurt":   {City: "Frankfurt am Main", Country: "Germany"},
		"paris":       {City: "Paris", Country: "France"},
		"paris-tx":    {City: "Paris", State: "TX", Country: "United States"},
		"nyc":         {City: "New York City", State: "New York", Country: "United States"},
		"brooklyn":    {City: "Brooklyn", State: "New York", Country: "United States"},
		"sf":          {City: "San Francisco", State: "California", Country: "United States"},
		"sf-ar":       {City: "San Francisco", State: "Córdoba", Country: "Argentina"},
		"palo-alto":   {City: "Palo Alto", State: "California", Country: "United States"},
		"bay":         {City: "San Francisco Bay Area", Country: "United States"},
		"atlanta":     {City: "Atlanta", State: "Georgia", Country: "United States"},
		"tbilisi":     {City: "Tbilisi", Country: "Georgia"},
		"istanbul":    {City: "Istanbul", Country: "Turkey"},
		"london":      {City: "London", State: "England", Country: "United Kingdom"},
		"london-on":   {City: "London", State: "Ontario", Country: "Canada"},
		"edinburgh":   {City: "Edinburgh", Country: "United Kingdom"},
		"stockholm":   {City: "Stockholm", Country: "Sweden"},
		"singapore":   {City: "Singapore", Country: "Singapore"},
		"sydney":      {City: "Sydney", State: "NSW", Country: "Australia"},
		"perth":       {City: "Perth", State: "WA", Country: "Australia"},
		"seattle":     {City: "Seattle", State: "WA", Country: "United States"},
		"sao-paulo":   {City: "São Paulo", Country: "Brazil"},
		"springfield": {City: "Springfield", State: "Illinois", Country: "United States"},
		"atlantis":    {City: "Lost City", Country: "Atlantis"},
		"dc":          {City: "Washington", State: "DC", Country: "United States"},
		"washington":  {City: "Washington", State: "Utah", Country: "United States"},
		"malmo":       {City: "Malmö", State: "Skåne County", Country: "Sweden"},
		"nowhere":     {},
	}
}

func TestPlaceFilters(t *testing.T) {
	for _, tt := range []struct {
		filter query.FilterName
		value  string
		want   string
	}{
		{query.FilterCity, "Berlin", "berlin"},
		{query.FilterCity, "München", "munich"},
		{query.FilterCity, "Munich", "munich"},
		{query.FilterCity, "muenchen", "munich"},
		{query.FilterCity, "Munich, Berlin", "berlin munich"},
		{query.FilterCity, "Frankfurt", "frankfurt"},
		{query.FilterCity, "Paris", "paris paris-tx"},
		{query.FilterCity, `"Paris, Texas"`, "paris-tx"},
		{query.FilterCity, `"Paris, TX"`, "paris-tx"},
		{query.FilterCity, `"Paris, TX, USA"`, "paris-tx"},
		{query.FilterCity, `"Paris, France"`, "paris"},
		{query.FilterCity, "Paris TX", "paris-tx"},
		{query.FilterCity, "Paris France", "paris"},
		{query.FilterCity, "London UK", "london"},
		{query.FilterCity, `"London, Ontario"`, "london-on"},
		{query.FilterCity, `"London, Europe"`, "london"},
		{query.FilterCity, "NYC", "nyc"},
		{query.FilterCity, "New York", "nyc"},
		{query.FilterCity, "SF", "sf"},
		{query.FilterCity, "San Francisco", "sf sf-ar"},
		{query.FilterCity, "Bay Area", "bay palo-alto sf"},
		{query.FilterCity, "San Francisco Bay Area", "bay palo-alto sf"},
		{query.FilterCity, "Silicon Valley", "palo-alto"},
		{query.FilterCity, "Greater New York", "brooklyn nyc"},
		{query.FilterCity, `"Atlanta, Georgia"`, "atlanta"},
		{query.FilterCity, `"Tbilisi, Georgia"`, "tbilisi"},
		{query.FilterCity, "Greater London", "london"},
		{query.FilterCity, "Washington", "dc washington"},
		{query.FilterCity, "Washington DC", "dc"},
		{query.FilterCity, "DC", "dc"},
		{query.FilterCity, `"Washington, D.C."`, "dc"},
		{query.FilterCity, `"Washington, Utah"`, "washington"},
		{query.FilterCity, "Lost City", "atlantis"},
		{query.FilterCity, "Gondor", ""},
		{query.FilterCity, `"Paris, Gondor"`, ""},
		{query.FilterCity, "-Berlin", "all but berlin"},
		{query.FilterCountry, "Germany", "berlin frankfurt munich"},
		{query.FilterCountry, "de", "berlin frankfurt munich"},
		{query.FilterCountry, "DEU", "berlin frankfurt munich"},
		{query.FilterCountry, "Deutschland", "berlin frankfurt munich"},
		{query.FilterCountry, "Allemagne", "berlin frankfurt munich"},
		{query.FilterCountry, "UK", "edinburgh london"},
		{query.FilterCountry, "Scotland", "edinburgh"},
		{query.FilterCountry, "Georgia", "tbilisi"},
		{query.FilterCountry, "Türkiye", "istanbul"},
		{query.FilterCountry, "DACH", "berlin frankfurt munich"},
		{query.FilterCountry, "Nordics", "malmo stockholm"},
		{query.FilterCountry, "ANZ", "perth sydney"},
		{query.FilterCountry, "Europe", "berlin edinburgh frankfurt london malmo munich paris stockholm"},
		{query.FilterCountry, "EU", "berlin frankfurt malmo munich paris stockholm"},
		{query.FilterCountry, "LATAM", "sao-paulo sf-ar"},
		{query.FilterCountry, "Southeast Asia", "singapore"},
		{query.FilterCountry, "Atlantis", "atlantis"},
		{query.FilterCountry, "Narnia", ""},
		{query.FilterRegion, "DACH", "berlin frankfurt munich"},
		{query.FilterRegion, "Germany", "berlin frankfurt munich"},
		{query.FilterRegion, "West Coast", "palo-alto seattle sf"},
		{query.FilterRegion, "Bavaria", "munich"},
		{query.FilterRegion, "Middle-earth", ""},
		{query.FilterState, "CA", "palo-alto sf"},
		{query.FilterState, "California", "palo-alto sf"},
		{query.FilterState, "WA", "seattle"},
		{query.FilterState, "Western Australia", "perth"},
		{query.FilterState, "Bayern", "munich"},
		{query.FilterState, "Georgia", "atlanta"},
		{query.FilterState, "Scotland", "edinburgh"},
		{query.FilterState, "Skåne", "malmo"},
		{query.FilterState, "Skåne län", "malmo"},
		{query.FilterState, "State of Washington", "seattle"},
		{query.FilterState, `"WA, Australia"`, "perth"},
		{query.FilterState, "Mordor", ""},
		{query.FilterMetro, "Bay Area", "bay palo-alto sf"},
		{query.FilterMetro, "NYC", "brooklyn nyc"},
		{query.FilterMetro, "New York", "brooklyn nyc"},
		{query.FilterMetro, "Springfield", "springfield"},
		{query.FilterMetro, "Gondor", ""},
	} {
		c, problems := analysis.Compile(query.Filters{tt.filter: tt.value}, time.Now())
		if problems != nil {
			t.Errorf("%s %q: %v", tt.filter, tt.value, problems)
			continue
		}
		var got []string
		for name, place := range lives() {
			doc, err := analysis.Person(kith.Person{ID: 1, FullName: "X", Location: place}, 0, 1)
			expect.NoError(t, err)
			if indexed.Match(doc, c.Query) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if out, found := strings.CutPrefix(tt.want, "all but "); found {
			if len(got) != len(lives())-1 || slices.Contains(got, out) {
				t.Errorf("%s %q finds %q", tt.filter, tt.value, got)
			}
			continue
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s %q finds %q; want %q", tt.filter, tt.value, s, tt.want)
		}
	}
}

// The name of one city may be an alias of another. It finds both; a country beside it decides.
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
