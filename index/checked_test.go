package index_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"kith"
	"kith/index"
	"kith/internal/test/expect"
	"kith/query"
)

// numbered is an engine of people with ids from 1, who match every query. It records the limits of its requests.
type numbered struct {
	index.Searcher
	people int64
	limits []int
}

func (e *numbered) Find(_ context.Context, _ index.Collection, req index.FindRequest) (hits []index.Hit, err error) {
	if query.HasTimeline(req.Query) {
		return nil, fmt.Errorf("a timeline for an engine: %s", query.String(req.Query))
	}
	e.limits = append(e.limits, req.Limit)
	id := int64(1)
	if req.After != nil {
		id = req.After.ID + 1
	}
	for ; id <= e.people && len(hits) < req.Limit; id++ {
		hits = append(hits, index.Hit{ID: id})
	}
	return hits, nil
}

// rare returns an index of the given number of people, of whom every n-th passes the check.
func rare(people, n int64) (*index.Index, *numbered) {
	e := &numbered{people: people}
	return index.New(e).Checking(func(_ context.Context, people []int64, timelines []query.Timeline) (map[int64][]bool,
		error,
	) {
		answers := map[int64][]bool{}
		for _, id := range people {
			answers[id] = make([]bool, len(timelines))
			for i := range timelines {
				answers[id][i] = id%n == 0
			}
		}
		return answers, nil
	}), e
}

// career is a timeline that the engine matches with everyone.
func career() query.Query { return query.Timeline{Steps: []query.Step{{}}} }

// Matches are yielded at once: the caller has the first one before the engine is asked for the last.
func TestCareersStreamTheFirstMatches(t *testing.T) {
	ix, e := rare(5000, 100)
	var got []int64
	first := 0
	for f, err := range ix.People(t.Context(), index.Search{Stages: []query.Query{career()}, Limit: 50}) {
		expect.NoError(t, err)
		if got = append(got, f.ID); len(got) == 1 {
			first = len(e.limits)
		}
	}
	if len(got) != 50 || got[0] != 100 || got[49] != 5000 {
		t.Errorf("got %v, want every hundredth of 5,000", got)
	}
	if first != 1 || len(e.limits) < 4 || slices.Max(e.limits) > 1000 {
		t.Errorf("the first came after %d requests of the sizes %v; want it after the first, and none above 1,000",
			first, e.limits)
	}
}

// When the caller stops ranging, the work stops.
func TestCareersStopWhenTheCallerBreaks(t *testing.T) {
	ix, e := rare(5000, 100)
	for _, err := range ix.People(t.Context(), index.Search{Stages: []query.Query{career()}, Limit: 50}) {
		expect.NoError(t, err)
		break
	}
	if len(e.limits) != 1 {
		t.Errorf("%d requests for one person", len(e.limits))
	}
}

// A search returns as many hits as requested, however few people pass the check.
func TestCareersFillAPage(t *testing.T) {
	ix, _ := rare(3000, 10)
	hits, err := ix.Hits(t.Context(), index.FindRequest{Query: index.Prepare(career()), Limit: 200, NoRecord: true})
	if err != nil || len(hits) != 200 || hits[199].ID != 2000 {
		t.Errorf("%d people, %v; want 200, the last of them 2000", len(hits), err)
	}
}

// A count stops after too many checks, and reports that there are more.
func TestCareerCountsAreBounded(t *testing.T) {
	for _, tt := range []struct {
		people, passing int64
		limit, want     int
		more            bool
	}{
		{3000, 10, 0, 300, false},
		{3000, 10, 301, 300, false},
		{3000, 10, 299, 299, true},
		{30_000, 100, 10_000, 200, true},
	} {
		ix, _ := rare(tt.people, tt.passing)
		n, more, err := ix.Count(t.Context(), index.Prepare(career()), tt.limit)
		if err != nil || more != tt.more || n < tt.want || n > tt.want+20 {
			t.Errorf("one in %d of %d to %d: %d, more: %t, %v; want %d, %t", tt.passing, tt.people, tt.limit, n, more,
				err, tt.want, tt.more)
		}
	}
}

// An index that cannot check people reports a defect in its construction.
func TestIndexWithoutACheckReportsADefect(t *testing.T) {
	_, err := index.New(&numbered{people: 1}).Hits(t.Context(),
		index.FindRequest{Query: index.Prepare(career()), Limit: 1})
	if kith.KindOf(err) != kith.Internal {
		t.Errorf("got %v, want a defect", err)
	}
}
