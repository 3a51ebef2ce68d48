package search

// Sizes sets which way through a network a search takes: the sizes at which it
// takes another. Zero values leave them as they are.
func (s *Service) Sizes(few, many, first, matches, scan int, seldom float64) {
	s.sizes = sizes{few: few, many: many, first: first, last: 2 * first, matches: matches, scan: scan, dense: 2, short: 5, seldom: seldom}
}
