package network

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// cache is an LRU cache bounded by bytes. It is safe for concurrent use.
type cache struct {
	mu   sync.Mutex
	list *simplelru.LRU[string, entry]
	// size is the capacity in bytes; room is the free part of it.
	size, room int
}

type entry struct {
	value any
	bytes int
}

// manyEntries exceeds what any cache holds: the bound is on bytes, not on entries.
const manyEntries = 1 << 30

func newCache(bytes int) *cache {
	c := &cache{size: bytes, room: bytes}
	// fails for a size of 0 only
	c.list, _ = simplelru.NewLRU(manyEntries, func(_ string, e entry) { c.room += e.bytes })
	return c
}

// cached returns the value under a key, if it is a T.
func cached[T any](c *cache, key string) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, _ := c.list.Get(key)
	value, ok = e.value.(T)
	return value, ok
}

// put stores a value, unless it is larger than the whole cache.
func (c *cache) put(key string, value any, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list.Remove(key)
	if bytes > c.size {
		return // it would only evict the others
	}
	c.list.Add(key, entry{value, bytes})
	c.room -= bytes
	for c.room < 0 {
		c.list.RemoveOldest()
	}
}
