package pgindex

// WalkSoon makes searches walk by rank for few documents, and give up after
// few, so that small tests take every way.
func (ix *Index) WalkSoon() { ix.limits = limits{many: 3, walk: 6, page: 15} }
