package proximity

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/index"
	"kith/query"
)

// tiers are the conditions of a search by exactness, and query the engine with them.
type tiers struct {
	index  *index.Index
	sortBy query.Field
	// conditions are prepared; everyone searched for satisfies the last.
	conditions []query.Query
}

func (t *tiers) last() int { return len(t.conditions) - 1 }

// condition returns a tier without the people of the tiers before.
func (t *tiers) condition(tier int) query.Query {
	if tier == 0 {
		return t.conditions[0]
	}
	return query.Simplify(query.And{Parts: []query.Query{t.conditions[tier], query.Not{Part: t.conditions[0]}}})
}

// find queries the engine for people in search order.
func (t *tiers) find(ctx context.Context, req index.FindRequest) ([]index.Hit, error) {
	req.SortBy = t.sortBy
	return t.index.Hits(ctx, req)
}

// findEach queries all tiers concurrently; it skips a tier with a limit of 0.
func (t *tiers) findEach(ctx context.Context, request func(tier int) index.FindRequest) ([][]index.Hit, error) {
	found := make([][]index.Hit, len(t.conditions))
	var group errgroup.Group
	for tier := range t.conditions {
		req := request(tier)
		if req.Limit == 0 {
			continue
		}
		group.Go(func() error {
			return kith.Safely(func() (err error) {
				found[tier], err = t.find(ctx, req)
				return err
			})
		})
	}
	return found, group.Wait()
}

// findAmong queries all tiers for some people.
func (t *tiers) findAmong(ctx context.Context, people []int64, records bool) ([][]index.Hit, error) {
	return t.findEach(ctx, func(tier int) index.FindRequest {
		return index.FindRequest{
			Query: index.Within(t.conditions[tier], people), Limit: len(people), NoRecord: !records || tier < t.last(),
		}
	})
}

// tierFinder returns a function for the first tier that a person of the last tier satisfies: people in an earlier tier,
// too, are exact matches.
func (t *tiers) tierFinder(found [][]index.Hit) func(person int64) int {
	exact := map[int64]bool{}
	for _, h := range slices.Concat(found[:t.last()]...) {
		exact[h.ID] = true
	}
	return func(person int64) int {
		if exact[person] {
			return 0
		}
		return t.last()
	}
}
