package index

// Ahead is what a search for people has fetched and not yielded yet, so that a
// caller who cannot take more for long need not hold it in memory. It serves
// one range at a time and is used by the goroutine that ranges; the zero value
// is ready.
type Ahead struct {
	hits    []Hit
	pace    Pace
	dropped bool
}

// Drop lets go of what is ahead; call it between two people. The search goes
// on behind the last person that it yielded, and fetches few people at a time
// until the caller keeps up. Whoever changed their place in the order meanwhile is found
// or missed as between two pages of a walk.
func (a *Ahead) Drop() {
	if a.pace.Slow(len(a.hits)) {
		a.hits, a.dropped = nil, true
	}
}

// fetched takes what was found.
func (a *Ahead) fetched(hits []Hit) { a.hits, a.dropped = hits, false }

// next gives the next person and lets go of the record.
func (a *Ahead) next() (h Hit, ok bool) {
	if len(a.hits) == 0 {
		return h, false
	}
	h, a.hits[0] = a.hits[0], Hit{}
	a.hits = a.hits[1:]
	return h, true
}
