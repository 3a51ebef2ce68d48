package index

import (
	"context"

	"kith/index/turns"
	"kith/query"
)

// Batch is several questions to the engine in one request. Queries come as [Prepare] makes them.
type Batch struct {
	Finds []FindRequest
	// Enough is how many different documents are enough: finds after those that gave so many need no answer. 0 has
	// all of them answered.
	Enough int
	// Counts are queries to be counted, no further than CountTo; 0 is no limit.
	Counts  []query.Query
	CountTo int
}

// BatchAnswer has the answers in the order of the questions. Hits is shorter than the finds where fewer were enough.
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
}

// Climbed is what a [Ladder] found.
type Climbed struct {
	// People are in the order (stage, sort value descending, id). Their cursors name the stage.
	People []Found
	// Counts are the numbers of people, in the order of the conditions.
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
	// Who is among the first of a later stage and was given before takes no place there: so many are asked for of each
	// stage that the first Limit of the whole order are among them.
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
	b = Batch{Enough: l.Limit + l.MaxSkipped, CountTo: l.CountTo}
	for _, stage := range l.Stages {
		q := l.prepared(stage)
		asked, checked := Asked(q)
		questions = append(questions, questionOf(q))
		b.Finds = append(b.Finds, FindRequest{Query: asked, SortBy: l.SortBy, Limit: l.Limit + l.MaxSkipped})
		if len(checked) > 0 {
			b.Enough = 0 // some of them may not pass
		}
	}
	for _, q := range l.Counts {
		asked, _ := Asked(l.prepared(q))
		b.Counts = append(b.Counts, asked)
	}
	return b, questions
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

// InTurn answers a batch by one question after the other, for drivers whose engine takes them so.
func (b Batch) InTurn(ctx context.Context, s Searcher, c Collection) (BatchAnswer, error) {
	var out BatchAnswer
	seen := map[int64]bool{}
	for _, req := range b.Finds {
		if b.Enough > 0 && len(seen) >= b.Enough {
			break
		}
		hits, err := s.Find(ctx, c, req)
		if err != nil {
			return BatchAnswer{}, err
		}
		for _, h := range hits {
			seen[h.ID] = true
		}
		out.Hits = append(out.Hits, hits)
	}
	for _, q := range b.Counts {
		n, err := s.Count(ctx, c, q, b.CountTo)
		if err != nil {
			return BatchAnswer{}, err
		}
		out.Counts = append(out.Counts, n)
	}
	return out, nil
}
