package pgindex

import (
	"crypto/sha256"
	"sync"
	"time"
)

// costs remembers for a while how many documents the sieves of queries let
// through, and which queries are not worth a walk by rank. It only ever
// changes how a search runs, never what it finds.
type costs struct {
	mu     sync.Mutex
	counts map[key]known
}

// key stands for a statement with its parameters.
type key [sha256.Size]byte

type known struct {
	count int
	until time.Time
}

const (
	// remembered is how long a count is trusted.
	remembered = time.Minute
	// maxKnown bounds the memory; beyond it all is forgotten.
	maxKnown = 10000
)

func newCosts() *costs { return &costs{counts: map[key]known{}} }

func keyOf(sql string, a args) key {
	h := sha256.New()
	h.Write([]byte(sql))
	for _, v := range a.values {
		h.Write([]byte{0})
		h.Write(v)
	}
	return key(h.Sum(nil))
}

func (c *costs) get(k key) (count int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	have, ok := c.counts[k]
	return have.count, ok && time.Now().Before(have.until)
}

func (c *costs) put(k key, count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.counts) >= maxKnown {
		clear(c.counts)
	}
	c.counts[k] = known{count: count, until: time.Now().Add(remembered)}
}
