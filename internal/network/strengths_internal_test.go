package network

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A circle ordered by strength is read back unchanged. A truncated one is an error, and never a panic.
func TestStoredCircleIsReadBackUnchanged(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		scores := rapid.MapOf(rapid.Int64Range(1, 1<<40), rapid.SampledFrom([]float64{
			0, 0.1, 2.5, 5, 9.999,
			10,
		})).Draw(rt, "scores")
		sets := emptySets()
		for id, score := range scores {
			sets[classify(1, score)].Add(uint64(id))
		}
		c, err := newCircle(7, sets, groupByScore(scores), nil)
		if err != nil {
			rt.Fatal(err)
		}
		data, err := c.encode()
		if err != nil {
			rt.Fatal(err)
		}
		back, err := decodeCircle(c.ID, data)
		if err != nil || !reflect.DeepEqual(back.Strengths(), c.Strengths()) || !slices.Equal(back.People(),
			c.People()) {
			rt.Fatalf("%v: got %v, want %v", err, back, c)
		}
		cut := rapid.IntRange(0, len(data)-1).Draw(rt, "cut")
		if _, err := decodeCircle(c.ID, data[:cut]); err == nil || cut == 0 && !errors.Is(err, errCircle) {
			rt.Fatalf("%d of %d bytes: %v", cut, len(data), err)
		}
	})
}

func TestStrengthsAreOrderedByScoreAndID(t *testing.T) {
	got := groupByScore(map[int64]float64{4: 5, 1: 2, 3: 5, 2: 9.5})
	if want := []Strength{{9.5, []int64{2}}, {5, []int64{3, 4}}, {2, []int64{1}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
