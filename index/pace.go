package index

// slowBatch is how many people are fetched at once for a caller who was slow to
// take those before; it doubles while the caller keeps up.
const slowBatch = 2

// Pace is how many people are fetched at once: all that are wanted, until the
// caller turns out to be slow. The zero value is ready.
type Pace struct{ batch int } // 0 is all

// Next is how many of the people left are fetched next.
func (p *Pace) Next(left int) int {
	if p.batch == 0 {
		return left
	}
	n := min(left, p.batch)
	p.batch *= 2
	return n
}

// Slow notes that the caller has to wait, and reports whether so many people who
// were fetched are worth dropping.
func (p *Pace) Slow(fetched int) (drop bool) {
	p.batch = slowBatch
	return fetched >= slowBatch
}
