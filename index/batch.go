package index

import (
	"context"
	"slices"

	"kith/index/turns"
	"kith/query"
)

// Batch is a search for people in stages, and several counts, in one request. Queries come as [Prepare] makes them.
type Batch struct {
	// Stages are conditions. A document belongs to the first that it satisfies, and Limit is the most documents of all
	// stages together, the first of the order (stage, sort value descending, id).
	Stages []query.Query
	// Apart has each stage answered for itself: a document comes with every stage that it satisfies, and Limit is the
	// most documents of each.
	Apart bool
	// SortBy orders the documents within a stage; the zero value is the rank.
	SortBy query.Field
	// Limit is at least 1 where there are stages.
	Limit int
	// Counts are queries to be counted, no further than CountTo; 0 is no limit.
	Counts  []query.Query
	CountTo int
	// Within may say of each stage, and CountsWithin of each count, which counts (before it) are of queries that hold
	// wherever its own does. Where one of these counts at most Least documents, all of which the first stage has, there is
	// nothing to look for: a driver may leave the stage out, and give that count for the count.
	Within, CountsWithin [][]int
	Least                int
	// CountsUnless may say of each count for which counts (before it) nobody wants it once one reaches CountTo: a driver
	// may leave it out, and give 0.
	CountsUnless [][]int
}

// BatchAnswer has the hits of each stage, and the counts, in the order of the questions.
type BatchAnswer struct {
	Hits   [][]Hit
	Counts []int
}

// Ladder is a search for people by several conditions, and the numbers of people of others, in one request.
type Ladder struct {
	// Stages are conditions over documents (not lowered). A person belongs to the first stage whose condition holds.
	Stages []query.Query
	// Skipped is how many stages at the start find people who are not wanted, with at most MaxSkipped people.
	Skipped, MaxSkipped int
	// Among are the only people who count; nil is everyone.
	Among []int64
	// SortBy orders the people within a stage; the zero value is the rank.
	SortBy query.Field
	// Limit is the most people to return.
	Limit int
	// Counts are conditions whose people are counted, no further than CountTo.
	Counts  []query.Query
	CountTo int
	// Within, CountsWithin and CountsUnless are those of a [Batch]. They may be left out.
	Within, CountsWithin, CountsUnless [][]int
}

// Climbed is what a [Ladder] found.
type Climbed struct {
	// People are in the order (stage, sort value descending, id). Their cursors name the stage.
	People []Found
	// Counts are the numbers of people, in the order of the conditions; 0 where CountsUnless says that nobody wants it.
	Counts []int
}

// Climb asks the engine the whole ladder in one request. Where a condition has a timeline, people are checked as in
// [Index.People], but only the first of each stage whom the engine gives, and its count is an upper bound.
func (ix *Index) Climb(ctx context.Context, l Ladder) (Climbed, error) {
	b, questions := l.batch()
	answer, err := turns.In(ctx, ix.turns, func() (BatchAnswer, error) { return ix.searcher.Batch(ctx, People, b) })
	if err != nil {
		return Climbed{}, err
	}
	out := Climbed{Counts: answer.Counts}
	for i := range out.Counts {
		if b.unwanted(i, out.Counts) {
			out.Counts[i] = 0
		}
	}
	// Where the stages are answered apart, people come more than once: so many are asked for of each stage that the
	// first Limit of the whole order are among them.
	seen := map[int64]bool{}
	for i, hits := range answer.Hits {
		if questions[i] != nil {
			if hits, err = ix.passing(ctx, questions[i], hits); err != nil {
				return Climbed{}, err
			}
		}
		for _, h := range hits {
			if seen[h.ID] {
				continue
			}
			seen[h.ID] = true
			if i >= l.Skipped && len(out.People) < l.Limit {
				out.People = append(out.People, Found{Hit: h, Cursor: Cursor{Stage: i, Sort: h.Sort, ID: h.ID}})
			}
		}
	}
	return out, nil
}

// batch is what the engine is asked, and what is left to be checked of each stage.
func (l Ladder) batch() (b Batch, questions []*question) {
	b = Batch{
		SortBy: l.SortBy, Limit: l.Limit + l.MaxSkipped, CountTo: l.CountTo,
		Within: l.Within, CountsWithin: l.CountsWithin, CountsUnless: l.CountsUnless, Least: l.MaxSkipped,
	}
	for _, stage := range l.Stages {
		q := l.prepared(stage)
		asked, checked := Asked(q)
		questions = append(questions, questionOf(q))
		b.Stages = append(b.Stages, asked)
		b.Apart = b.Apart || len(checked) > 0 // who does not pass may do so in a later stage
	}
	for _, q := range l.Counts {
		asked, _ := Asked(l.prepared(q))
		b.Counts = append(b.Counts, asked)
	}
	return b, questions
}

// unwanted reports whether nobody wants a count, as counts before it tell.
func (b Batch) unwanted(i int, counts []int) bool {
	return i < len(b.CountsUnless) && b.CountTo > 0 &&
		slices.ContainsFunc(b.CountsUnless[i], func(before int) bool { return counts[before] >= b.CountTo })
}

func (l Ladder) prepared(q query.Query) query.Query {
	q = Prepare(q)
	if l.Among != nil {
		q = Within(q, l.Among)
	}
	return q
}

// passing are those of some people who satisfy a query with timelines.
func (ix *Index) passing(ctx context.Context, qu *question, hits []Hit) ([]Hit, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	satisfies, err := ix.satisfying(ctx, People, qu, hits)
	var kept []Hit
	for _, h := range hits {
		if satisfies[h.ID] {
			kept = append(kept, h)
		}
	}
	return kept, err
}
