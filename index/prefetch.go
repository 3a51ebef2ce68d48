package index

// Prefetch buffers people that a search has fetched but not yet yielded. A caller that has to wait can drop the buffer
// to free its memory. A Prefetch serves one range at a time and is not safe for concurrent use: only the ranging
// goroutine may call it. The zero value is ready.
type Prefetch struct {
	hits    []Hit
	pace    Pace
	dropped bool
}

// Drop empties the buffer; call it between two people. The search continues after the last person it yielded, and
// fetches few people at a time until the caller keeps up. A person whose position in the order has changed meanwhile
// may appear twice or not at all, as between two pages.
func (p *Prefetch) Drop() {
	if p.pace.Slow(len(p.hits)) {
		p.hits, p.dropped = nil, true
	}
}

// fetched fills the buffer.
func (p *Prefetch) fetched(hits []Hit) { p.hits, p.dropped = hits, false }

// next returns the next person and releases its record.
func (p *Prefetch) next() (h Hit, ok bool) {
	if len(p.hits) == 0 {
		return h, false
	}
	h, p.hits[0] = p.hits[0], Hit{}
	p.hits = p.hits[1:]
	return h, true
}
