package indextest

import (
	"fmt"
	"slices"
	"testing"

	"kith/index"
	"kith/internal/expect"
)

// checkLadder asks for all stages of the plan in one request: they give the people that a walk gives, in its order.
func (c aCase) checkLadder(t *testing.T, ix *index.Index) {
	total := len(slices.Concat(c.want...))
	c.checkUnwantedCounts(t, ix)
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
			c.checkLadderCounts(t, ix, got.Counts)
		}
	}
}

// checkUnwantedCounts counts the stages until one has somebody: nobody wants the counts after it, and they are 0.
func (c aCase) checkUnwantedCounts(t *testing.T, ix *index.Index) {
	l := index.Ladder{Stages: c.stages, Limit: 1, Counts: c.stages, CountTo: 1}
	want, found, before := []int{}, false, []int{}
	for i, stage := range c.stages {
		n, _, err := ix.Count(t.Context(), index.Prepare(stage), 1)
		expect.NoError(t, err)
		if found {
			n = 0
		}
		found = found || n > 0
		want = append(want, n)
		l.CountsUnless = append(l.CountsUnless, slices.Clone(before))
		before = append(before, i)
	}
	got, err := ix.Climb(t.Context(), l)
	if err != nil || !slices.Equal(append([]int{}, got.Counts...), want) {
		t.Errorf("a ladder whose counts end with the first of somebody counts %v, want %v, %v", got.Counts, want, err)
	}
}

func (c aCase) checkLadderCounts(t *testing.T, ix *index.Index, got []int) {
	for i, stage := range c.stages {
		want, _, err := ix.Count(t.Context(), index.Prepare(stage), 0)
		if err != nil || len(got) != len(c.stages) || got[i] != want {
			t.Errorf("a ladder counts %v, want %d at %d, %v", got, want, i, err)
		}
	}
}

// compareLadder compares a ladder over the stages of a search with the walk that is wanted.
func compareLadder(t *testing.T, e Engine, s index.Search, want []index.Cursor, skipped int) error {
	if skipped >= len(s.Stages) {
		skipped = 0
	}
	first := slices.IndexFunc(want, func(c index.Cursor) bool { return c.Stage >= skipped })
	if first < 0 {
		first = len(want)
	}
	got, err := index.New(e).Climb(t.Context(), index.Ladder{
		Stages: s.Stages, SortBy: s.SortBy, Limit: s.Limit, Skipped: skipped, MaxSkipped: first,
	})
	if err != nil {
		return err
	}
	var found []index.Cursor
	for _, f := range got.People {
		found = append(found, f.Cursor)
	}
	if wanted := want[first:]; !slices.Equal(found, wanted[:min(len(wanted), s.Limit)]) {
		return fmt.Errorf("a ladder without the first %d stages got %v\nwant %v (stage, sort, id)", skipped, found, wanted)
	}
	return nil
}

func foundIDs(people []index.Found) []int64 {
	out := []int64{}
	for _, f := range people {
		out = append(out, f.ID)
	}
	return out
}
