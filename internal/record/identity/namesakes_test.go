package identity_test

import (
	"fmt"
	"testing"

	"kith"
	"kith/internal/record/identity"
)

// Records of one name are compared only if they share something else that few of them share,
// however many have the name.
func TestNamesakesAreComparedOnlyByRareKeys(t *testing.T) {
	elsewhere := func(n int, set ...func(*kith.Person)) (out []kith.Person) {
		for i := range n {
			out = append(out, person("Jane Doe", append(set, at(int64(100+i), "Engineer"))...))
		}
		return out
	}
	names := map[int64]string{1: "acme"}
	for i := range int64(200) {
		names[100+i] = fmt.Sprintf("company %d", i)
	}
	berlin := in("Berlin", "Germany")
	for _, c := range []struct {
		name             string
		people           []kith.Person
		groups, doubtful int
	}{
		{
			"a name of many",
			append(elsewhere(200), person("Jane Doe", at(1, "")), person("Jane Doe", at(1, "CTO"))), 201, 0,
		},
		{"ten in a city", elsewhere(10, berlin), 10, 45},
		{"eleven in a city", elsewhere(11, berlin), 11, 0},
		{
			"a name of many in a city",
			append(elsewhere(30, berlin), person("Jane Doe", at(1, ""), berlin), person("Jane Doe", at(1, ""))), 31, 0,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			groups, doubtful := identity.Cluster(recordsOf(c.people...), names, nil, nil)
			if len(groups) != c.groups || len(doubtful) != c.doubtful {
				t.Errorf("%d people and %d doubtful pairs; want %d and %d", len(groups), len(doubtful), c.groups,
					c.doubtful)
			}
		})
	}
}
