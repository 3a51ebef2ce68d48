package search

// Sizes sets which way through a network a search takes: the sizes at which it
// takes another. Zero values leave them as they are.
func (s *Service) Sizes(few, many, first, may, do, scan int) {
	s.sizes = sizes{few: few, many: many, first: first, last: 2 * first, may: may, do: do, rare: max(may, do), whole: 2 * few, scan: scan, dense: 2}
}
