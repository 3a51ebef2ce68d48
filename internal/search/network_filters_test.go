package search_test

import (
	"reflect"
	"slices"
	"testing"

	"kith/internal/search"
	"kith/query"
)

// There is a case for each of the nine filters alone, and one with all. The order is not a filter.
func TestNetworkFilterCasesCoverEveryFilter(t *testing.T) {
	fields := reflect.TypeFor[search.NetworkFilters]()
	filters := fields.NumField() - 1
	if last := fields.Field(filters).Name; filters != 9 || last != "Order" {
		t.Fatalf("there are %d filters, and the last field is %s", filters, last)
	}
	alone := map[string]bool{}
	most := 0
	for _, f := range nearFilters() {
		if f == nil {
			continue
		}
		var set []string
		for i := range filters {
			if v := reflect.ValueOf(*f).Field(i); !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0) {
				set = append(set, fields.Field(i).Name)
			}
		}
		if most = max(most, len(set)); len(set) == 1 {
			alone[set[0]] = true
		}
	}
	if len(alone) != filters || most < filters-1 {
		t.Errorf("cases of a single filter: %v; the largest case has %d", alone, most)
	}
}

// nobody lists the cases without matches.
func nobody() []string {
	return []string{
		"introducers in degree 1", "an introducer who is no one", "a kind that no introducer has",
		"team, but no teams",
	}
}

// The test compares each case for each user on each engine. A case must pass some people and reject others.
func TestEnginesAgreeOnNetworkFilters(t *testing.T) {
	everyone := query.Filters{"country": "Germany, France, Japan"}
	for name, on := range nearEngines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNeighbourhood(t, 1)
			s := on(t, n)
			for _, u := range n.users {
				n.talk(t, u)
			}
			all := make([][]int64, len(n.users))
			for i, u := range n.users {
				all[i] = everyoneOf(t, s, u, everyone)
			}
			for name, f := range nearFilters() {
				through, within := 0, 0
				for i, u := range n.users {
					want, wantNear := n.byNearness(u, says(f), all[i])
					got, near := walkNear(t, s, u,
						search.Request{Filters: everyone, Scope: search.ScopeNetwork, Network: f, Limit: 100}, nil)
					if !slices.Equal(got, want) || near != wantNear {
						t.Errorf("%s, user %d:\ngot  %v (%d near)\nwant %v (%d near)", name, u.person, got, near, want,
							wantNear)
					}
					_, unfiltered := n.byNearness(u, nil, all[i])
					through, within = through+near, within+unfiltered
				}
				// Some users may know people that most do not.
				if empty := slices.Contains(nobody(), name); empty != (through == 0) &&
					name != "introducers who are foreign" {
					t.Errorf("%s passes %d of %d people", name, through, within)
				}
				if says(f) != nil && through == within && name != "degrees 1 and 2" {
					t.Errorf("%s excludes no one", name)
				}
			}
		})
	}
}
