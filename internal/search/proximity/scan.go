package proximity

import (
	"context"

	"kith/index"
)

// scan goes through everyone who satisfies a tier, in order, as far as someone
// needs it.
type scan struct {
	after *index.Position
	hits  []index.Hit
	end   bool
}

// scans find the people of classes of many. Several classes look at what one scan
// of a tier has found.
type scans struct {
	tiers *tiers
	page  *page
	// most is how many people are gone through at once.
	most int
	// whole are the scans of tiers from the start.
	whole [maxTiers]*scan
}

// find goes through everyone who satisfies the tier of a stage, in order, and
// keeps some for the page: about a share of them, as far as it is known.
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

// scan is the one of a tier from the start, or one of its own from where the
// stage goes on.
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

// extend goes as much further as those who are needed are likely to be. Where
// most of them are likely to be kept, their records come along: only at first, as
// whoever goes on has found most of them not kept.
func (s *scans) extend(ctx context.Context, c *scan, tier int, share float64) error {
	need := s.page.need()
	n := need + need/4 + 4
	if share > 0 {
		n = max(n, int(1.3*float64(need)/share))
	}
	n = min(max(n, 3*len(c.hits)), s.most)
	hits, err := s.tiers.find(ctx, index.FindRequest{
		Query: s.tiers.condition(tier), After: c.after, Limit: n,
		NoRecord: share <= 0.5 || len(c.hits) > 0,
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
