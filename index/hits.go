package index

import (
	"context"

	"kith/query"
)

// Hits is one step of a search for people, without stages. The query comes as
// [Prepare] makes it; [Within] narrows such a query further.
func (ix *Index) Hits(ctx context.Context, req FindRequest) ([]Hit, error) {
	if _, none := req.Query.(query.None); none {
		return nil, ctx.Err()
	}
	return ix.find(ctx, People, req)
}

// Sieves returns a sieve for each query, as [Prepare] makes it, nil for one that
// they cannot tell of, or none where the engine has none at present.
func (ix *Index) Sieves(ctx context.Context, queries []query.Query) ([]Sieve, error) {
	if siever, ok := ix.searcher.(Siever); ok {
		asked := make([]query.Query, len(queries))
		for i, q := range queries {
			asked[i], _ = Asked(q)
		}
		return siever.Sieve(ctx, asked)
	}
	return nil, ctx.Err()
}

// Prepare makes of a query over documents what [Index.Hits], [Index.Count] and
// [Index.Facets] take: so that a query that is asked again and again, each time
// among other people, is made ready once.
func Prepare(q query.Query) query.Query { return query.Simplify(Lower(q)) }

// Within narrows a prepared query to some people, each named once. It costs no
// more than the list of them.
func Within(q query.Query, people []int64) query.Query {
	return and(q, query.IDs{Values: people}, len(people) == 0)
}

// Without leaves some people, each named once, out of a prepared query.
func Without(q query.Query, people []int64) query.Query {
	if len(people) == 0 {
		return q
	}
	return and(q, query.Not{Part: query.IDs{Values: people}}, false)
}

func and(q, part query.Query, never bool) query.Query {
	if never {
		return query.None{}
	}
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
