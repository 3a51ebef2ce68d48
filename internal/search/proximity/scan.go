package proximity

import (
	"context"

	"kith/index"
)

// scan reads everyone who satisfies a tier, in order, as far as needed.
type scan struct {
	after *index.Position
	hits  []index.Hit
	end   bool
}

// scans find the people of large classes. Several classes share the scan of a tier.
type scans struct {
	tiers *tiers
	page  *page
	// most is how many people one request reads at most.
	most int
	// whole are the scans of tiers from the start.
	whole [maxTiers]*scan
}

// find reads everyone who satisfies the tier of a stage, in order, and takes those that keep accepts. share is the
// expected fraction of them, 0 if unknown.
func (s *scans) find(ctx context.Context, stage int, keep func(int64) bool, share float64) error {
	found := s.scan(stage)
	for i := 0; ; i++ {
		if i == len(found.hits) && !found.end {
			if err := s.extend(ctx, found, tierOf(stage), share); err != nil {
				return err
			}
		}
		if i == len(found.hits) {
			return nil
		}
		if !keep(found.hits[i].ID) {
			continue
		}
		if s.page.take(found.hits[i:i+1], stage); s.page.need() == 0 {
			return nil
		}
	}
}

// scan returns the shared scan of a tier from the start, or a new one from where the stage resumes.
func (s *scans) scan(stage int) *scan {
	if from := s.page.position(stage); from != nil {
		return &scan{after: from}
	}
	shared := &s.whole[tierOf(stage)]
	if *shared == nil {
		*shared = &scan{}
	}
	return *shared
}

// extend reads as much further as is likely to be needed. If most people are likely to be kept, the first request
// fetches their records, too; later ones do not, because most people then turned out not to be kept.
func (s *scans) extend(ctx context.Context, c *scan, tier int, share float64) error {
	need := s.page.need()
	n := need + need/4 + 4
	if share > 0 {
		n = max(n, int(1.3*float64(need)/share))
	}
	n = min(max(n, 3*len(c.hits)), s.most)
	hits, err := s.tiers.find(ctx, index.FindRequest{
		Query: s.tiers.condition(tier), After: c.after, Limit: n, NoRecord: share <= 0.5 || len(c.hits) > 0,
	})
	if err != nil {
		return err
	}
	c.end = len(hits) < n
	if len(hits) > 0 {
		last := hits[len(hits)-1]
		c.after = &index.Position{Sort: last.Sort, ID: last.ID}
	}
	c.hits = append(c.hits, hits...)
	return nil
}
