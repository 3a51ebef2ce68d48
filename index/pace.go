package index

// slowBatch is how many people are fetched at once for a slow caller; it doubles while the caller keeps up.
const slowBatch = 2

// Pace is how many people a search fetches at once: all of them until the caller turns out to be slow. The zero value
// is ready.
type Pace struct{ batch int } // 0 is all

// Next returns how many of the remaining people to fetch next.
func (p *Pace) Next(left int) int {
	if p.batch == 0 {
		return left
	}
	n := min(left, p.batch)
	p.batch *= 2
	return n
}

// Slow notes that the caller has to wait. It reports whether dropping the fetched people is worthwhile.
func (p *Pace) Slow(fetched int) (drop bool) {
	p.batch = slowBatch
	return fetched >= slowBatch
}
