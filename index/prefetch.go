package index

// Prefetch buffers people that a search has fetched but not yet yielded. A caller that has to wait can drop the buffer
// to free its memory. An Prefetch serves one range at a time and is not safe for concurrent use: only the ranging
// goroutine may call it. The zero value is ready.
type Prefetch struct {
	hits    []Hit
	pace    Pace
	dropped bool
}

// Drop empties the buffer; call it between two people. The search continues after the last person it yielded, and
// fetches few people at a time until the caller keeps up. A person whose position in the order has changed meanwhile
// may appear twice or not at all, as between two pages.
func (a *Prefetch) Drop() {
	if a.pace.Slow(len(a.hits)) {
		a.hits, a.dropped = nil, true
	}
}

// fetched fills the buffer.
func (a *Prefetch) fetched(hits []Hit) { a.hits, a.dropped = hits, false }

// next returns the next person and releases its record.
func (a *Prefetch) next() (h Hit, ok bool) {
	if len(a.hits) == 0 {
		return h, false
	}
	h, a.hits[0] = a.hits[0], Hit{}
	a.hits = a.hits[1:]
	return h, true
}
