package identity

import "testing"

// A person keeps an id that anyone may have seen: an existing person's, else a stored record's, which may have been a
// person, even if a new record has a lower id. Among new records the first of the import counts.
func TestPeopleKeepKnownIDs(t *testing.T) {
	for name, c := range map[string]struct {
		group []*Record
		homes map[int64]int64
		want  int64
	}{
		"a person":             {[]*Record{{ID: 1, place: 1}, {ID: 2}, {ID: 3}}, map[int64]int64{3: 30}, 30},
		"two people":           {[]*Record{{ID: 1, place: 1}, {ID: 2}, {ID: 3}}, map[int64]int64{3: 30, 2: 20}, 20},
		"a record split off":   {[]*Record{{ID: 1, place: 1}, {ID: 2}, {ID: 3}}, nil, 2},
		"only records of now":  {[]*Record{{ID: 1, place: 3}, {ID: 2, place: 1}, {ID: 3, place: 2}}, nil, 2},
		"a single new record":  {[]*Record{{ID: 7, place: 1}}, nil, 7},
		"a single stored one":  {[]*Record{{ID: 7}}, nil, 7},
		"a person's own alone": {[]*Record{{ID: 7}}, map[int64]int64{7: 7}, 7},
	} {
		if got := chooseID(c.group, c.homes); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
