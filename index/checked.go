package index

import (
	"context"
	"slices"

	"kith"
	"kith/query"
)

// Check reports which timelines each person satisfies now: one answer a timeline, by the person's id. Deleted people
// are left out.
type Check func(ctx context.Context, people []int64, timelines []query.Timeline) (map[int64][]bool, error)

// Checking returns a copy of the index that checks timelines with c, because engines cannot. Without a check, a query
// with a timeline fails with an internal error.
func (ix *Index) Checking(c Check) *Index {
	out := *ix
	out.check = c
	return &out
}

const (
	// leastChecked and mostChecked bound the number of people fetched at once for a check.
	leastChecked, mostChecked = 40, 1000
	// checkedForCount is the most people checked for one count or facet request.
	checkedForCount = 20_000
	// facetedPeople is the most matching people whose facets are counted, by rank. It bounds the time and makes all
	// engines count the same people.
	facetedPeople = 10_000
)

// SplitTimelines splits a prepared query into a query for the engine, which matches at least everyone q matches, and
// the timelines left to check.
func SplitTimelines(q query.Query) (asked query.Query, checked []query.Timeline) {
	qu := newQuestion(q)
	if qu == nil {
		return q, nil
	}
	return qu.asked, qu.timelines
}

// replaceTimelines replaces each timeline: by its prefilter where matching more people is safe (more), and by None
// inside a negation. Lowered parts stay lowered.
func replaceTimelines(q query.Query, more bool) query.Query {
	switch q := q.(type) {
	case query.Timeline:
		if more {
			return Lower(q.Prefilter())
		}
		return query.None{}
	case query.Not:
		return query.Not{Part: replaceTimelines(q.Part, !more)}
	case query.And, query.Or:
		return query.MapParts(q, func(p query.Query) query.Query { return replaceTimelines(p, more) })
	case query.All, query.None, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range, query.Exists,
		query.Nested, query.IDs:
	}
	return q
}

// question is a query with timelines, split for the engine and the check.
type question struct {
	// asked goes to the engine.
	asked query.Query
	// open are the parts of the query that asked does not decide.
	open []query.Query
	// timelines are those of the open parts, without duplicates.
	timelines []query.Timeline
}

// newQuestion splits a prepared query; nil for one without timelines.
func newQuestion(q query.Query) *question {
	if !query.HasTimeline(q) {
		return nil
	}
	out := &question{asked: query.Simplify(replaceTimelines(q, true))}
	parts := []query.Query{q}
	if and, is := q.(query.And); is {
		parts = and.Parts
	}
	for _, p := range parts {
		if query.HasTimeline(p) {
			out.open = append(out.open, p)
			out.note(p)
		}
	}
	return out
}

// note adds the timelines of a query.
func (qu *question) note(q query.Query) {
	if t, is := q.(query.Timeline); is {
		if qu.indexOf(t) < 0 {
			qu.timelines = append(qu.timelines, t)
		}
		return
	}
	query.MapParts(q, func(p query.Query) query.Query {
		qu.note(p)
		return p
	})
}

func (qu *question) indexOf(t query.Timeline) int {
	return slices.IndexFunc(qu.timelines, func(have query.Timeline) bool { return query.Equal(have, t) })
}

// remainder returns the query that remains once it is known which timelines hold.
func (qu *question) remainder(holds []bool) query.Query {
	var known func(query.Query) query.Query
	known = func(q query.Query) query.Query {
		t, is := q.(query.Timeline)
		switch {
		case !is:
			return query.MapParts(q, known)
		case holds[qu.indexOf(t)]:
			return query.All{}
		}
		return query.None{}
	}
	return query.Simplify(query.And{Parts: kith.Each(qu.open, known)})
}

// passing keeps those of the engine's hits that satisfy the query. If a timeline is only one alternative, it asks the
// engine about the rest of the query, for the people whose answer depends on it.
func (ix *Index) passing(ctx context.Context, c Collection, qu *question, hits []Hit) ([]Hit, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	if ix.check == nil {
		return nil, kith.Errorf(kith.Internal, "CHECK_UNSET", "a search for careers needs an index that can check them")
	}
	people := idsOf(hits)
	answers, err := ix.check(ctx, people, qu.timelines)
	if err != nil {
		return nil, err
	}
	alike := map[string][]int64{}
	for _, id := range people {
		if holds, there := answers[id]; there {
			alike[pattern(holds)] = append(alike[pattern(holds)], id)
		}
	}
	all := make(map[int64]bool, len(people))
	for _, ids := range alike {
		ids, err := ix.selectAmong(ctx, c, qu.remainder(answers[ids[0]]), ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			all[id] = true
		}
	}
	return slices.DeleteFunc(hits, func(h Hit) bool { return !all[h.ID] }), nil
}

func pattern(holds []bool) string {
	b := make([]byte, len(holds))
	for i, h := range holds {
		if h {
			b[i] = 1
		}
	}
	return string(b)
}

// selectAmong returns which of some people satisfy a prepared query.
func (ix *Index) selectAmong(ctx context.Context, c Collection, q query.Query, people []int64) ([]int64, error) {
	switch q.(type) {
	case query.All:
		return people, nil
	case query.None:
		return nil, nil
	case query.And, query.Or, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range,
		query.Exists, query.Nested, query.IDs, query.Timeline:
	}
	hits, err := ix.searcher.Find(ctx, c, FindRequest{Query: Within(q, people), Limit: len(people), NoRecord: true})
	return idsOf(hits), err
}
