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
	for in, want := range examples(t, "areas.txt") {
		wantState, wantCity, metros, not := want[0], want[1], want[2], want[3]
		got := gazetteer.Place(in)
		city := ""
		if n := len(got.City); n > 0 {
			city = got.City[n-1]
		}
		if got.State != wantState || city != wantCity {
			t.Errorf("Place(%+v) = %q, %q; want %q, %q", in, got.State, city, wantState, wantCity)
		}
		for _, id := range strings.Fields(metros) {
			if !slices.Contains(got.Metro, id) {
				t.Errorf("Place(%+v) is in %q; want %s", in, got.Metro, id)
			}
		}
		for _, id := range strings.Fields(not) {
			if slices.Contains(got.Metro, id) {
				t.Errorf("Place(%+v) is in %q; want it not in %s", in, got.Metro, id)
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
