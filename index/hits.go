package index

import (
	"context"

	"kith/query"
)

// Hits returns people without stages. The query comes from [Prepare]; [Within] narrows it further.
func (ix *Index) Hits(ctx context.Context, req FindRequest) ([]Hit, error) {
	return ix.reader(People, req).all(ctx)
}

// Prepare turns a query over documents into the form that [Index.Hits], [Index.Count] and [Index.Facets] take. A
// query that runs repeatedly, each time among other people, is prepared once.
func Prepare(q query.Query) query.Query { return query.Simplify(Lower(q)) }

// Within narrows a prepared query to some people, without duplicates. Its cost is that of their list.
func Within(q query.Query, people []int64) query.Query {
	if len(people) == 0 {
		return query.None{}
	}
	return and(q, query.IDs{Values: people})
}

// Without excludes some people, without duplicates, from a prepared query.
func Without(q query.Query, people []int64) query.Query {
	if len(people) == 0 {
		return q
	}
	return and(q, query.Not{Part: query.IDs{Values: people}})
}

func and(q, part query.Query) query.Query {
	switch q := q.(type) {
	case query.None:
		return q
	case query.All:
		return part
	case query.And:
		return query.And{Parts: append([]query.Query{part}, q.Parts...)}
	case query.Or, query.Not, query.Term, query.Terms, query.AllWords, query.Phrase, query.Range, query.Exists,
		query.Nested, query.IDs, query.Timeline:
	}
	return query.And{Parts: []query.Query{part, q}}
}
