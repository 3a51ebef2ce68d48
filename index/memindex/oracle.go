package memindex

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"kith/index"
	"kith/query"
	"kith/query/indexed"
)

// Oracle holds documents unchanged and answers searches by definition. It shares neither the lowering nor the
// flattening with the engines. It is not safe for concurrent use.
type Oracle struct {
	docs map[int64]indexed.Document
}

// NewOracle returns an empty oracle.
func NewOracle() *Oracle { return &Oracle{docs: map[int64]indexed.Document{}} }

// Put stores documents. It ignores one that is not newer than the stored one.
func (o *Oracle) Put(docs ...indexed.Document) {
	for _, d := range docs {
		if have, ok := o.docs[d.ID]; !ok || have.Version < d.Version {
			o.docs[d.ID] = d
		}
	}
}

// Delete removes documents.
func (o *Oracle) Delete(ids ...int64) {
	for _, id := range ids {
		delete(o.docs, id)
	}
}

// People returns every person that the stages match, in search order: each under the first stage whose condition
// holds, by sort value descending, then by identifier.
func (o *Oracle) People(stages []query.Query, sortBy query.Field) []index.Cursor {
	var all []index.Cursor
	seen := map[int64]bool{}
	for i, stage := range stages {
		for _, p := range o.find(stage, sortBy) {
			if !seen[p.ID] {
				seen[p.ID] = true
				all = append(all, index.Cursor{Stage: i, Sort: p.Sort, ID: p.ID})
			}
		}
	}
	return all
}

// Facets returns the most frequent values of each facet among the first people of a query by rank, as an engine does.
func (o *Oracle) Facets(q query.Query, facets []indexed.Facet, size, among int) index.FacetValues {
	counts := index.NewTally(facets)
	found := o.find(q, query.Rank)
	found = found[:min(among, len(found))]
	for _, p := range found {
		counts.Add(o.docs[p.ID].Facets)
	}
	return counts.Most(size, len(found) == among)
}

func (o *Oracle) find(q query.Query, sortBy query.Field) []index.Position {
	var found []index.Position
	for _, d := range o.docs {
		if indexed.Match(d, q) {
			found = append(found, index.Position{Sort: sortValue(d, sortBy), ID: d.ID})
		}
	}
	slices.SortFunc(found, before)
	return found
}

// sortValue is the document's value of a sort field. With exactly one current job, the document itself has that job's
// numbers.
func sortValue(d indexed.Document, f query.Field) int64 {
	if name, ok := strings.CutPrefix(string(f), string(query.Current)+"."); ok {
		if len(d.Nested[query.Current]) != 1 {
			return math.MinInt64
		}
		return valueOf(query.Field(name), d.Rank, d.Nested[query.Current][0])
	}
	return valueOf(f, d.Rank, d.Fields)
}

// valueOf is the value of a sort field, of a person or of a job.
func valueOf(f query.Field, rank int64, fields indexed.Fields) int64 {
	if f == "" || f == query.Rank {
		return rank
	}
	if v, ok := fields.Numbers[f]; ok {
		return v
	}
	return math.MinInt64
}

// before orders by value, highest first, then by identifier.
func before(a, b index.Position) int {
	return cmp.Or(cmp.Compare(b.Sort, a.Sort), cmp.Compare(a.ID, b.ID))
}
