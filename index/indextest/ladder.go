package indextest

import (
	"fmt"
	"slices"
	"testing"

	"kith"
	"kith/index"
)

// checkLadder asks for all stages of the plan in one request: they give the people that a walk gives, in its order.
// counts are the people of each stage.
func (c aCase) checkLadder(t *testing.T, ix *index.Index, counts []int) {
	total := len(slices.Concat(c.want...))
	c.checkUnwantedCounts(t, ix, counts)
	for skipped := range c.want {
		want := slices.Concat(c.want[skipped:]...)
		for _, limit := range []int{1, 2, total + 1} {
			l := index.Ladder{
				Stages: c.stages, SortBy: c.sortBy, Limit: limit, Counts: c.stages, CountTo: total + 1,
				Skipped: skipped, MaxSkipped: len(slices.Concat(c.want[:skipped]...)),
			}
			got, err := ix.Climb(t.Context(), l)
			if err != nil {
				t.Fatalf("a ladder to %d: %v", limit, err)
			}
			if ids, want := foundIDs(got.People), want[:min(limit, len(want))]; !slices.Equal(ids, want) {
				t.Errorf("a ladder to %d without the first %d stages: got %v, want %v", limit, skipped, ids, want)
			}
			if !slices.Equal(got.Counts, counts) {
				t.Errorf("a ladder counts %v, want %v", got.Counts, counts)
			}
		}
	}
}

// checkUnwantedCounts counts the stages until one has somebody: nobody wants the counts after it, and they are 0.
func (c aCase) checkUnwantedCounts(t *testing.T, ix *index.Index, counts []int) {
	l := index.Ladder{Stages: c.stages, Limit: 1, Counts: c.stages, CountTo: 1}
	want, before := make([]int, len(counts)), []int{}
	if first := slices.IndexFunc(counts, func(n int) bool { return n > 0 }); first >= 0 {
		want[first] = 1
	}
	for i := range c.stages {
		l.CountsUnless = append(l.CountsUnless, slices.Clone(before))
		before = append(before, i)
	}
	got, err := ix.Climb(t.Context(), l)
	if err != nil || !slices.Equal(got.Counts, want) {
		t.Errorf("a ladder whose counts end with the first of somebody counts %v, want %v, %v", got.Counts, want, err)
	}
}

// compareLadder compares a ladder over the stages of a search with the walk that is wanted.
func compareLadder(t *testing.T, e Engine, s index.Search, want []index.Cursor, skipped int) error {
	if skipped >= len(s.Stages) {
		skipped = 0
	}
	first := peopleBefore(want, skipped)
	got, err := index.New(e).Climb(t.Context(), index.Ladder{
		Stages: s.Stages, SortBy: s.SortBy, Limit: s.Limit, Skipped: skipped, MaxSkipped: first,
	})
	if err != nil {
		return err
	}
	found := kith.Each(got.People, func(f index.Found) index.Cursor { return f.Cursor })
	if wanted := want[first:]; !slices.Equal(found, wanted[:min(len(wanted), s.Limit)]) {
		return fmt.Errorf("a ladder without the first %d stages got %v\nwant %v (stage, sort, id)", skipped, found,
			wanted)
	}
	return nil
}

// peopleBefore returns how many people come before those of a stage.
func peopleBefore(people []index.Cursor, stage int) int {
	n, _ := slices.BinarySearchFunc(people, stage, func(c index.Cursor, stage int) int { return c.Stage - stage })
	return n
}

func foundIDs(people []index.Found) []int64 {
	return kith.Each(people, func(f index.Found) int64 { return f.ID })
}
