package pgindex

import (
	"hash/maphash"
	"sync"
	"time"

	"kith/query"
)

// costs caches for a minute in which tier searches found enough, and which searches are not worth a walk by rank. It
// only changes how a search runs, never its results.
type costs struct {
	seed  maphash.Seed
	mu    sync.Mutex
	tiers map[key]known
}

// key identifies a condition by its hash.
type key uint64

// walking is the key for whether a walk is worthwhile for k.
func (k key) walking() key { return k ^ 1<<63 }

type known struct {
	tier  int
	until time.Time
}

const (
	// remembered is how long cached facts are valid.
	remembered = time.Minute
	// maxKnown is the most cached entries; beyond that the cache is cleared.
	maxKnown = 10000
)

func newCosts() *costs { return &costs{seed: maphash.MakeSeed(), tiers: map[key]known{}} }

// keyOf returns the key of a condition and other properties of the search.
func (c *costs) keyOf(q query.Query, more ...string) key {
	var h maphash.Hash
	h.SetSeed(c.seed)
	_, _ = h.Write(query.AppendKey(nil, q))
	for _, s := range more {
		_ = h.WriteByte(1)
		_, _ = h.WriteString(s)
	}
	return key(h.Sum64())
}

// get returns the first tier that may have enough documents.
func (c *costs) get(k key) (tier int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	have, ok := c.tiers[k]
	return have.tier, ok && time.Now().Before(have.until)
}

func (c *costs) put(k key, tier int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.tiers) >= maxKnown {
		clear(c.tiers)
	}
	c.tiers[k] = known{tier: tier, until: time.Now().Add(remembered)}
}
