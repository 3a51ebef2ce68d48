package search

import "kith/internal/search/proximity"

// Sizes sets the sizes at which a search through the network changes its strategy. Zero values change nothing.
func (s *Service) Sizes(few, many, first, list, scan int) {
	s.near = proximity.New(proximity.Config{
		Index: s.cfg.Index, Network: s.cfg.Network, Journal: s.cfg.Journal,
		Thresholds: proximity.Thresholds{
			AtOnce: few, ByID: many, FirstPiece: first, MaxPiece: 2 * first, List: list, Scan: scan,
		},
	})
}
