package search

import (
	"context"
	"fmt"

	"kith"
	"kith/index"
	"kith/query"
	"kith/query/analysis"
)

// Companies finds companies by name. It is safe for concurrent use.
type Companies struct {
	index *index.Index
	sight Sight
}

// NewCompanies returns the companies of an index that viewers may see.
func NewCompanies(ix *index.Index, s Sight) *Companies { return &Companies{ix, s} }

// Named implements Names of package network.
func (c *Companies) Named(ctx context.Context, v kith.Viewer, name string, most int) ([]int64, error) {
	key := analysis.CompanyKey(name)
	if key == "" {
		return nil, nil
	}
	seen, err := readSight(ctx, c.sight, v)
	if err != nil {
		return nil, err
	}
	ids, err := c.index.Companies(ctx, narrow(query.Term{Field: query.CompanyNameExact, Value: key}, seen.visible),
		most)
	if err != nil {
		return nil, fmt.Errorf("companies of a name: %w", err)
	}
	return ids, nil
}
