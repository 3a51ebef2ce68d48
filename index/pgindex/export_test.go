package pgindex

// WalkSoon makes small searches try every strategy: walks by rank that give up after a few documents, then small tiers.
func (ix *Index) WalkSoon() { ix.limits = limits{walk: 6, eager: true, tiers: []int{3, 9, 18}} }

// RefreshAfter makes Refresh gather statistics after the given number of documents.
func (ix *Index) RefreshAfter(documents int64) { ix.limits.refresh = documents }

// HashOf is the hash of a term.
func HashOf(term string) int64 { return hashTerm(term) }
