package pgindex

// WalkSoon makes searches try every way: walks by rank that give up after a few
// documents, then tiers of a few.
func (ix *Index) WalkSoon() { ix.limits = limits{walk: 6, eager: true, tiers: []int{3, 9, 18}} }

// RefreshAfter makes Refresh gather statistics after so many documents.
func (ix *Index) RefreshAfter(documents int64) { ix.limits.refresh = documents }

// HashOf is the hash of a term.
func HashOf(term string) int64 { return hashOf(term) }
