package index

import (
	"context"
	"slices"

	"kith/query"
)

// Batch is one request for several stages of a search and several counts. Its queries come from [Prepare].
type Batch struct {
	// Stages are conditions. A document belongs to the first stage it satisfies. Limit is the total number of
	// documents over all stages, the first in the order (stage, sort value descending, id).
	Stages []query.Query
	// Apart answers each stage on its own: a document appears in every stage it satisfies, and Limit applies to each
	// stage.
	Apart bool
	// SortBy orders the documents within a stage; the zero value is the rank.
	SortBy query.Field
	// Limit is at least 1 if there are stages.
	Limit int
	// Counts are queries to count. Counting stops at CountTo; 0 is no limit.
	Counts  []query.Query
	CountTo int
	// Within may list, for each stage, earlier counts whose queries hold wherever the stage's query holds;
	// CountsWithin does the same for each count. If such a count is at most Least, and the first stage has all of its
	// documents, nothing new can be found: a driver may skip the stage, and may report that count for the count.
	Within, CountsWithin [][]int
	Least                int
	// CountsUnless may list, for each count, earlier counts that make it unnecessary once one of them reaches
	// CountTo: a driver may then skip it and report 0.
	CountsUnless [][]int
}

// BatchAnswer has the hits of each stage and the counts, in the order of the [Batch].
type BatchAnswer struct {
	Hits   [][]Hit
	Counts []int
}

// Ladder is a search for people by several conditions, with counts of people for others, in one request.
type Ladder struct {
	// Stages are conditions over documents (not lowered). A person belongs to the first stage whose condition holds.
	Stages []query.Query
	// Skipped is the number of leading stages whose people are left out; MaxSkipped is the most people they have.
	Skipped, MaxSkipped int
	// Among restricts the search to these people; nil is everyone.
	Among []int64
	// SortBy orders the people within a stage; the zero value is the rank.
	SortBy query.Field
	// Limit is the most people to return.
	Limit int
	// Counts are conditions whose people are counted. Counting stops at CountTo.
	Counts  []query.Query
	CountTo int
	// Within, CountsWithin and CountsUnless are those of a [Batch]. They are optional.
	Within, CountsWithin, CountsUnless [][]int
}

// Climbed is the result of a [Ladder].
type Climbed struct {
	// People are in the order (stage, sort value descending, id). Their cursors name the stage.
	People []Found
	// Counts are the numbers of people, in the order of the conditions; 0 for counts made unnecessary by CountsUnless.
	Counts []int
}

// Climb sends the whole ladder to the engine in one request. It checks stages with a timeline as [Index.People] does,
// but only the first people that the engine returns for each stage. A count with a timeline is an upper bound.
func (ix *Index) Climb(ctx context.Context, l Ladder) (Climbed, error) {
	b, questions := l.batch()
	answer, err := ix.searcher.Batch(ctx, People, b)
	if err != nil {
		return Climbed{}, err
	}
	out := Climbed{Counts: answer.Counts}
	for i := range out.Counts {
		if b.unwanted(i, out.Counts) {
			out.Counts[i] = 0
		}
	}
	// When stages are answered apart, people appear more than once. Each stage is asked for enough people to contain
	// the first Limit of the whole order.
	seen := map[int64]bool{}
	for i, hits := range answer.Hits {
		if questions[i] != nil {
			if hits, err = ix.passing(ctx, People, questions[i], hits); err != nil {
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

// batch returns the engine's request, and for each stage the parts left to check.
func (l Ladder) batch() (b Batch, questions []*question) {
	b = Batch{
		SortBy: l.SortBy, Limit: l.Limit + l.MaxSkipped, CountTo: l.CountTo,
		Within: l.Within, CountsWithin: l.CountsWithin, CountsUnless: l.CountsUnless, Least: l.MaxSkipped,
	}
	for _, stage := range l.Stages {
		q := l.prepare(stage)
		asked, checked := SplitTimelines(q)
		questions = append(questions, newQuestion(q))
		b.Stages = append(b.Stages, asked)
		b.Apart = b.Apart || len(checked) > 0 // a person who fails the check may pass in a later stage
	}
	for _, q := range l.Counts {
		asked, _ := SplitTimelines(l.prepare(q))
		b.Counts = append(b.Counts, asked)
	}
	return b, questions
}

// unwanted reports whether earlier counts make a count unnecessary.
func (b Batch) unwanted(i int, counts []int) bool {
	return i < len(b.CountsUnless) && b.CountTo > 0 &&
		slices.ContainsFunc(b.CountsUnless[i], func(before int) bool { return counts[before] >= b.CountTo })
}

func (l Ladder) prepare(q query.Query) query.Query {
	q = Prepare(q)
	if l.Among != nil {
		q = Within(q, l.Among)
	}
	return q
}
