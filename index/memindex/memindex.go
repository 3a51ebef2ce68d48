// Package memindex is the portable index in memory. Its oracle evaluates queries over documents literally; engines
// are compared with it. Its driver holds flat documents, for tests of the portable index without an engine. Both scan
// all documents for each query.
package memindex

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"kith"
	"kith/index"
	"kith/query"
	"kith/query/indexed"
)

// Index is a driver that keeps flat documents in memory. It starts with one empty, active version. It is safe for
// concurrent use.
type Index struct {
	mu       sync.RWMutex
	versions []*version
	active   *version
	made     int
}

// Index is both halves of a driver.
var (
	_ index.Searcher = (*Index)(nil)
	_ index.Writer   = (*Index)(nil)
	_ index.Counter  = (*Index)(nil)
	_ index.Marker   = (*Index)(nil)
)

type version struct {
	name string
	mark index.Mark
	docs map[index.Collection]map[int64]indexed.Flat
}

// New returns an empty index.
func New() *Index {
	ix := &Index{}
	ix.active = ix.create()
	return ix
}

// Engine returns "memory".
func (ix *Index) Engine() string { return "memory" }

// Check returns nil: there is always an active version.
func (ix *Index) Check(ctx context.Context) error { return ctx.Err() }

// Find implements [index.Searcher].
func (ix *Index) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	var hits []index.Hit
	for d := range ix.matching(c, req.Query) {
		sort := valueOf(req.SortBy, d.Rank, d.Fields)
		if req.After != nil && before(index.Position{Sort: sort, ID: d.ID}, *req.After) <= 0 {
			continue
		}
		hit := index.Hit{ID: d.ID, Sort: sort}
		if !req.NoRecord {
			hit.Record = d.Record
		}
		hits = append(hits, hit)
	}
	slices.SortFunc(hits, func(a, b index.Hit) int {
		return before(index.Position{Sort: a.Sort, ID: a.ID}, index.Position{Sort: b.Sort, ID: b.ID})
	})
	return hits[:min(req.Limit, len(hits))], ctx.Err()
}

// Count implements [index.Searcher].
func (ix *Index) Count(ctx context.Context, c index.Collection, q query.Query, limit int) (int, error) {
	n := 0
	for range ix.matching(c, q) {
		if n++; n == limit {
			break
		}
	}
	return n, ctx.Err()
}

// Batch implements [index.Searcher].
func (ix *Index) Batch(ctx context.Context, c index.Collection, b index.Batch) (index.BatchAnswer, error) {
	out := index.BatchAnswer{Hits: make([][]index.Hit, len(b.Stages))}
	var earlier []query.Query
	left := b.Limit
	for i, stage := range b.Stages {
		parts := slices.Concat(earlier, []query.Query{stage})
		req := index.FindRequest{Query: query.And{Parts: parts}, SortBy: b.SortBy, Limit: left}
		hits, err := ix.Find(ctx, c, req)
		if err != nil {
			return index.BatchAnswer{}, err
		}
		if out.Hits[i] = hits; !b.Apart {
			earlier, left = append(earlier, query.Not{Part: stage}), left-len(hits)
		}
	}
	for _, q := range b.Counts {
		n, err := ix.Count(ctx, c, q, b.CountTo)
		if err != nil {
			return index.BatchAnswer{}, err
		}
		out.Counts = append(out.Counts, n)
	}
	return out, nil
}

// Facets implements [index.Searcher].
func (ix *Index) Facets(ctx context.Context, q query.Query, facets []indexed.Facet, size,
	among int,
) (index.FacetValues, error) {
	counts := index.NewTally(facets)
	people := slices.SortedFunc(ix.matching(index.People, q), func(a, b indexed.Flat) int {
		return before(index.Position{Sort: a.Rank, ID: a.ID}, index.Position{Sort: b.Rank, ID: b.ID})
	})
	people = people[:min(among, len(people))]
	for _, d := range people {
		counts.Add(d.Facets)
	}
	return counts.Most(size, len(people) == among), ctx.Err()
}

// matching ranges over the documents of the active version that satisfy q.
func (ix *Index) matching(c index.Collection, q query.Query) func(yield func(indexed.Flat) bool) {
	return func(yield func(indexed.Flat) bool) {
		ix.mu.RLock()
		defer ix.mu.RUnlock()
		for _, d := range ix.active.docs[c] {
			if indexed.Match(indexed.Document{ID: d.ID, Rank: d.Rank, Fields: d.Fields, Nested: d.Nested}, q) &&
				!yield(d) {
				return
			}
		}
	}
}

// Write implements [index.Writer].
func (ix *Index) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, name := range versions {
		v, err := ix.version(name)
		if err != nil {
			return err
		}
		for _, d := range docs {
			if have, ok := v.docs[c][d.ID]; !ok || have.Version < d.Version {
				v.docs[c][d.ID] = d
			}
		}
		maps.DeleteFunc(v.docs[c], func(id int64, _ indexed.Flat) bool { return slices.Contains(deletes, id) })
	}
	return ctx.Err()
}

// Refresh does nothing: writes are visible at once.
func (ix *Index) Refresh(ctx context.Context) error { return ctx.Err() }

// Versions implements [index.Writer].
func (ix *Index) Versions(ctx context.Context) ([]index.Version, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var list []index.Version
	for _, v := range ix.versions {
		list = append(list, index.Version{Name: v.name, Active: v == ix.active, Mark: v.mark.Text})
	}
	return list, ctx.Err()
}

// SetMark implements [index.Marker].
func (ix *Index) SetMark(ctx context.Context, versions []index.Version, mark index.Mark) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, have := range versions {
		v, err := ix.version(have.Name)
		if err != nil {
			return err
		}
		if v.mark.Number > mark.Number {
			return kith.Unreachable("memory", fmt.Errorf("version %s has a newer mark", v.name))
		}
		v.mark = mark
	}
	return ctx.Err()
}

// Create implements [index.Writer].
func (ix *Index) Create(ctx context.Context) (string, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.create().name, ctx.Err()
}

func (ix *Index) create() *version {
	ix.made++
	v := &version{
		name: fmt.Sprintf("v%d", ix.made),
		docs: map[index.Collection]map[int64]indexed.Flat{index.People: {}, index.Companies: {}},
	}
	ix.versions = append(ix.versions, v)
	return v
}

// Documents implements [index.Counter].
func (ix *Index) Documents(ctx context.Context, c index.Collection, name string) (int64, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	v, err := ix.version(name)
	if err != nil {
		return 0, err
	}
	return int64(len(v.docs[c])), ctx.Err()
}

// Complete implements [index.Writer].
func (ix *Index) Complete(ctx context.Context, name string) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if _, err := ix.version(name); err != nil {
		return err
	}
	return ctx.Err()
}

// Activate implements [index.Writer].
func (ix *Index) Activate(ctx context.Context, name string) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	v, err := ix.version(name)
	if err != nil {
		return err
	}
	ix.active = v
	return ctx.Err()
}

// Drop implements [index.Writer].
func (ix *Index) Drop(ctx context.Context, name string) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	v, err := ix.version(name)
	if err != nil {
		return err
	}
	if v == ix.active {
		return kith.Errorf(kith.Conflict, "INDEX_VERSION_ACTIVE",
			"index version %q is active; activate another one first", name)
	}
	ix.versions = slices.DeleteFunc(ix.versions, func(have *version) bool { return have == v })
	return ctx.Err()
}

func (ix *Index) version(name string) (*version, error) {
	i := slices.IndexFunc(ix.versions, func(v *version) bool { return v.name == name })
	if i < 0 {
		return nil, kith.Errorf(kith.NotFound, "INDEX_VERSION_NOT_FOUND", "there is no index version %q", name)
	}
	return ix.versions[i], nil
}
