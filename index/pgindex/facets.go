package pgindex

import (
	"context"
	"encoding/binary"

	"kith"
	"kith/index"
	"kith/query"
	"kith/query/indexed"
)

// facetWalk is how many documents a walk by rank reads for each person to count, before it gives up: then fetching
// and sorting the documents from the indexes costs less.
const facetWalk = 10

// Facets implements [index.Searcher]. It finds the first people like any search and counts their values in Go.
func (ix *Index) Facets(ctx context.Context, q query.Query, facets []indexed.Facet, size,
	among int,
) (index.FacetValues, error) {
	counts := index.NewTally(facets)
	if len(facets) == 0 {
		return counts.Most(size, false), nil
	}
	stats, err := ix.statistics(ctx, index.People)
	if err != nil {
		return nil, err
	}
	q = byShingles(q)
	f := newFinder(ix, index.People, index.FindRequest{Query: q, SortBy: query.Rank, Limit: among}, stats)
	f.columns, f.walkLimit = facetColumns(facets), max(f.walkLimit, facetWalk*among)
	people, err := f.find(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		for i, v := range nullable(p.Record) {
			if v != nil {
				counts[facets[i]][string(v)]++
			}
		}
	}
	return counts.Most(size, len(people) == among), nil
}

// facetColumns is the values of facets as one array. It reads each by name: unpacking all facets of a document takes
// longer.
func facetColumns(facets []indexed.Facet) string {
	return array(kith.Each(facets, func(f indexed.Facet) string { return "p.facets ->> " + quote(string(f)) }))
}

// nullable reads the elements of an array; nulls become nil.
func nullable(value []byte) (elements [][]byte) {
	const header, size = 20, 4 // see arrayHeader
	if len(value) < header {
		return nil
	}
	for rest := value[header:]; len(rest) >= size; {
		n := int(int32(binary.BigEndian.Uint32(rest)))
		rest = rest[size:]
		if n < 0 {
			elements = append(elements, nil)
			continue
		}
		elements = append(elements, rest[:n:n])
		rest = rest[n:]
	}
	return elements
}
