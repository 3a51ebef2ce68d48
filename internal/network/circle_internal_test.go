package network

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A sample is evenly spread, and the nearest people are the first ones by class.
func TestPartsOfACircle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ids := rapid.SliceOfDistinct(rapid.Int64Range(1, 1<<40), func(id int64) int64 { return id }).Draw(rt, "ids")
		n := rapid.IntRange(1, 50).Draw(rt, "n")
		sets := emptySets()
		for i, id := range ids {
			sets[i%Classes].Add(uint64(id))
		}
		c, err := newCircle(7, sets, nil, nil)
		if err != nil {
			rt.Fatal(err)
		}
		var byClass []int64
		for class := range Class(Classes) {
			byClass = append(byClass, c.PeopleOf(class)...)
		}
		if got := c.Nearest(n); !slices.Equal(got, byClass[:min(n, len(byClass))]) {
			rt.Fatalf("the nearest %d of %v: %v", n, byClass, got)
		}
		all := c.People()
		want := slices.Clone(all)
		if len(all) > n {
			want = want[:0]
			for i := range n {
				want = append(want, all[i*len(all)/n])
			}
		}
		if got := c.Sample(n); !slices.Equal(got, want) {
			rt.Fatalf("a sample of %d of %v: %v", n, all, got)
		}
	})
}
