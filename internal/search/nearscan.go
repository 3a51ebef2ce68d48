package search

import (
	"slices"

	"kith/index"
)

// scan goes through everyone who satisfies a tier, in order, as far as someone
// needs it. Several classes look at what one scan has found.
type scan struct {
	tier  int
	after *index.Position
	hits  []index.Hit
	end   bool
}

// scan is the scan of a tier from a place on, or the one from the start, which
// is nil.
func (w *near) scan(tier int, from *index.Position) *scan {
	if from != nil {
		return &scan{tier: tier, after: from}
	}
	if w.scans[tier] == nil {
		w.scans[tier] = &scan{tier: tier}
	}
	return w.scans[tier]
}

// step is how many people a scan goes through next, to find those who are
// needed among them, who are about a share.
func (w *near) step(s *scan, share float64) int {
	n := w.need() + w.need()/4 + 4
	if share > 0 {
		n = max(n, int(1.3*float64(w.need())/share))
	}
	return min(max(n, 3*len(s.hits)), w.sizes.scan)
}

// extend goes n people further. Where most of them are likely to be kept, their
// records come along.
func (w *near) extend(s *scan, n int, share float64) error {
	hits, err := w.hits(w.query(s.tier), s.after, n, share > 0.5)
	if err != nil {
		return err
	}
	s.end = len(hits) < n
	if len(hits) > 0 {
		last := hits[len(hits)-1]
		s.after = &index.Position{Sort: last.Sort, ID: last.ID}
	}
	s.hits = slices.Concat(s.hits, hits)
	return nil
}
