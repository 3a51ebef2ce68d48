package pgindex

import (
	"crypto/sha256"
	"sync"
	"time"
)

// costs remembers for a while in which tier searches found enough, and which
// are not worth a walk by rank. It only ever changes how a search runs, never
// what it finds.
type costs struct {
	mu    sync.Mutex
	tiers map[key]known
}

// key stands for a condition with its parameters.
type key [sha256.Size]byte

// of is the key of something about what k stands for.
func (k key) of(what string) key { return sha256.Sum256(append(k[:], what...)) }

type known struct {
	tier  int
	until time.Time
}

const (
	// remembered is how long what was found out is trusted.
	remembered = time.Minute
	// maxKnown bounds the memory; beyond it all is forgotten.
	maxKnown = 10000
)

func newCosts() *costs { return &costs{tiers: map[key]known{}} }

func keyOf(sql string, a args) key {
	h := sha256.New()
	h.Write([]byte(sql))
	for _, v := range a.values {
		h.Write([]byte{0})
		h.Write(v)
	}
	return key(h.Sum(nil))
}

// get returns the first tier that may have enough.
func (c *costs) get(k key) (tier int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	have, ok := c.tiers[k]
	return have.tier, ok && time.Now().Before(have.until)
}

func (c *costs) has(k key) bool {
	_, ok := c.get(k)
	return ok
}

func (c *costs) put(k key, tier int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.tiers) >= maxKnown {
		clear(c.tiers)
	}
	c.tiers[k] = known{tier: tier, until: time.Now().Add(remembered)}
}
