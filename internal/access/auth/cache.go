package auth

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"
)

// cacheTTL is how long a token revoked by another process may still pass here. It is short because revocation is a
// security promise, and long enough that a busy client costs one look-up per hundreds of requests.
const cacheTTL = 2 * time.Second

// cacheSize is the number of cached grants: about 4 MB.
const cacheSize = 10_000

// grantCache caches recent grants, so that the hot path needs no database.
type grantCache struct {
	now func() time.Time

	mu      sync.Mutex
	entries *lru.LRU[Hash, cachedGrant]
	// mark grows with every removal, so that a grant read before a removal is not cached after it.
	mark    uint64
	lookups singleflight.Group
}

type cachedGrant struct {
	grant Grant
	until time.Time
}

func newGrantCache(now func() time.Time) *grantCache {
	entries, err := lru.NewLRU[Hash, cachedGrant](cacheSize, nil)
	if err != nil {
		panic(err) // only a size below 1 is refused
	}
	return &grantCache{now: now, entries: entries}
}

// get returns the fresh grant of a token, and the mark to pass to a later put.
func (c *grantCache) get(hash Hash) (g Grant, mark uint64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(hash)
	if !ok || !c.now().Before(e.until) {
		return Grant{}, c.mark, false
	}
	return e.grant, c.mark, true
}

func (c *grantCache) put(hash Hash, g Grant, mark uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if mark == c.mark {
		c.entries.Add(hash, cachedGrant{grant: g, until: c.now().Add(cacheTTL)})
	}
}

func (c *grantCache) drop(hash Hash) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark++
	c.entries.Remove(hash)
}

func (c *grantCache) dropUser(user int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark++
	for _, hash := range c.entries.Keys() {
		if e, ok := c.entries.Peek(hash); ok && e.grant.Actor.UserID == user {
			c.entries.Remove(hash)
		}
	}
}
