package network

// Bound lets so many bytes of circles be kept.
func (c *Circles) Bound(bytes int) { c.kept = newCache(bytes) }
