package index

import (
	"cmp"
	"slices"

	"kith/query/indexed"
)

// Tally counts facet values among people, for pgindex and memindex, which read people one by one. Elasticsearch counts
// and orders them itself (elasticindex/count.go).
type Tally map[indexed.Facet]map[string]int

// NewTally returns a tally of these facets.
func NewTally(facets []indexed.Facet) Tally {
	counts := Tally{}
	for _, f := range facets {
		counts[f] = map[string]int{}
	}
	return counts
}

// Add counts a person with these values.
func (t Tally) Add(values map[indexed.Facet]string) {
	for f, counts := range t {
		if v, ok := values[f]; ok {
			counts[v]++
		}
	}
}

// Most returns the most frequent values of each facet, at most size, as [Searcher].Facets does. capped marks every
// value as counted among only some of the people.
func (t Tally) Most(size int, capped bool) FacetValues {
	answer := FacetValues{}
	for f, counts := range t {
		answer[f] = top(counts, size, capped)
	}
	return answer
}

func top(counts map[string]int, size int, capped bool) []FacetValue {
	values := make([]FacetValue, 0, len(counts))
	for v, n := range counts {
		values = append(values, FacetValue{Value: v, Count: n, IsCapped: capped})
	}
	slices.SortFunc(values, func(a, b FacetValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return values[:min(size, len(values))]
}
