package search_test

import (
	"fmt"
	"slices"
	"testing"

	"kith"
	"kith/internal/search"
	"kith/query"
)

// homes are places around Amsterdam, the nearest first, with their distance from it.
var homes = []struct {
	kith.Location
	distance string
}{
	{kith.Location{City: "Haarlem", State: "North Holland", Country: "Netherlands"}, "country"},
	{kith.Location{City: "Groningen", State: "Groningen", Country: "Netherlands"}, "country"},
	{kith.Location{City: "Antwerp", Country: "Belgium"}, "region"},
	{kith.Location{City: "Lisbon", Country: "Portugal"}, "continent"},
	{kith.Location{City: "New Delhi", Country: "India"}, "elsewhere"},
	{kith.Location{City: "Chicago", State: "Illinois", Country: "United States"}, "elsewhere"},
}

// abroad makes designers and programmers of every home, with more or less experience, at small and large companies, the
// farthest with the highest rank.
func abroad() []kith.Person {
	var out []kith.Person
	for i := range 48 {
		home := homes[len(homes)-1-i/8]
		start := []string{"2010-01", "2024-06"}[i%2]
		out = append(out, kith.Person{
			ID: int64(i + 1), FullName: fmt.Sprintf("Pat Number%d", i+1), Location: home.Location,
			WorkRelevant: &kith.Job{
				Title: []string{"Sommelier", "Software Engineer"}[i/4%2], StartDate: &start,
				Company: kith.Company{ID: 1 + int64(i/2%2), Name: "Acme", EmployeeCount: 100 + 5000*(i/2%2)},
			},
		})
	}
	return out
}

// Whatever else is missing, the closest people of the country come before those of its region of the world, these
// before those of its continent, and these before others. In the country those nearby come first if only the place is
// missing.
func TestNearestPeopleComeFirst(t *testing.T) {
	memory := newFixture(t, abroad()...).withNear()
	for name, f := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory), "elasticsearch": onElasticsearch(t, memory),
	} {
		for _, filters := range []query.Filters{
			{"position": "sommelier", "city": "Amsterdam"},
			{"position": "sommelier", "state": "Utrecht"},
			{"position": "sommelier", "city": "Amsterdam", "experienceYears": "5+"},
			{"position": "sommelier", "city": "Amsterdam", "experienceYears": "5+", "companySize": "50-200"},
			{"position": "sommelier", "country": "Luxembourg", "experienceYears": "5+", "companySize": "50-200"},
		} {
			p := f.page(t, search.Request{Filters: filters, Scope: search.ScopeGlobal, Closest: new(true)})
			matches, missing := closestOf(t, p)
			people := personIDs(t, p.People)[len(matches):]
			order := []string{"country", "region", "continent", "elsewhere"}
			if filters["country"] != "" {
				order[0] = "nowhere" // the Netherlands are abroad, as Belgium is
			}
			last, nearest, seen := 0, 0, map[int]bool{}
			for _, id := range people {
				home := len(homes) - 1 - int(id-1)/8
				far := max(slices.Index(order, homes[home].distance), slices.Index(order, "nowhere")+1)
				onlyAway := (id-1)%8 == 0 && filters["city"] != "" // an experienced sommelier at a small company
				if far < last || far == 0 && onlyAway && home < nearest {
					t.Errorf("%s, %v: person %d comes too late in %v; %v", name, filters, id, people, missing)
				}
				if last, seen[far] = far, true; onlyAway {
					nearest = home
				}
			}
			if len(seen) < 2 {
				t.Errorf("%s, %v: only %v of %v", name, filters, seen, people)
			}
		}
	}
}
