package http

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"kith/index/fair"
	"kith/internal/search"
)

// Memory reservations for large requests in progress. One user may have half of each.
const (
	// bodyBytes is in bytes. Until it is answered, a large body takes about six times its size in memory.
	bodyBytes = 128 << 20
	// listEntries is in list entries. A list's people are all in one answer.
	listEntries = 4 * search.MaxListEntries
	// uploadSlots is the number of simultaneous file uploads.
	uploadSlots = 8
	// exportSlots is the number of simultaneous exports. Each reads much of the database, and
	// uses disk space until it is sent.
	exportSlots = 4
	// fewEntries is a list size that needs no reservation: at most a page.
	fewEntries = search.MaxLimit
	// reservationWait is the maximum wait for a reservation.
	reservationWait = 10 * time.Second
)

// memoryPools are the memory limits for large requests, each with its own unit.
type memoryPools struct{ bodies, lists, uploads, exports *memoryPool }

func newMemoryPools() memoryPools {
	return memoryPools{
		bodies: newMemoryPool(bodyBytes), lists: newMemoryPool(listEntries), uploads: newMemoryPool(uploadSlots),
		exports: newMemoryPool(exportSlots),
	}
}

type memoryPool struct {
	size int64
	all  *semaphore.Weighted

	mu     sync.Mutex
	shares map[poolUser]*share
}

// poolUser identifies a user of a dataset.
type poolUser struct {
	dataset *Dataset
	user    int64
}

// share is one user's part of a pool, with the number of reservations.
type share struct {
	*semaphore.Weighted
	reservations int
}

func newMemoryPool(size int64) *memoryPool {
	return &memoryPool{size: size, all: semaphore.NewWeighted(size), shares: map[poolUser]*share{}}
}

// reservations are those of one request. Every request reserves its body first and its list
// second, which avoids deadlocks.
type reservations struct {
	*memoryPools
	owner poolUser
	taken []reservation
}

type reservation struct {
	pool *memoryPool
	size int64
}

// body waits for a reservation for a large body. Requests without a caller have none: their bodies
// have at most 1 MiB.
func (c *reservations) body(ctx context.Context, bytes int64) error {
	if c == nil {
		return nil
	}
	return c.take(ctx, c.bodies, bytes)
}

// upload waits for an upload slot.
func (c *reservations) upload(ctx context.Context) error { return c.take(ctx, c.uploads, 1) }

// list waits for a reservation for a list, if it is large.
func (c *reservations) list(ctx context.Context, entries int) error {
	if entries <= fewEntries {
		return nil
	}
	return c.take(ctx, c.lists, int64(min(entries, search.MaxListEntries)))
}

// export waits for an export slot.
func (c *reservations) export(ctx context.Context) error { return c.take(ctx, c.exports, 1) }

func (c *reservations) take(ctx context.Context, r *memoryPool, size int64) error {
	ctx, cancel := context.WithTimeout(ctx, reservationWait)
	defer cancel()
	if err := r.enter(c.owner).Acquire(ctx, size); err != nil {
		r.leave(c.owner)
		return fair.OverLimit(err)
	}
	if err := r.all.Acquire(ctx, size); err != nil {
		r.leave(c.owner).Release(size)
		return fair.Overloaded(err)
	}
	c.taken = append(c.taken, reservation{r, size})
	return nil
}

// release releases all reservations.
func (c *reservations) release() {
	for _, t := range c.taken {
		t.pool.all.Release(t.size)
		t.pool.leave(c.owner).Release(t.size)
	}
}

// enter counts a reservation in a user's share.
func (r *memoryPool) enter(owner poolUser) *share {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shares[owner]
	if s == nil {
		s = &share{Weighted: semaphore.NewWeighted(r.size / 2)}
		r.shares[owner] = s
	}
	s.reservations++
	return s
}

// leave ends a reservation in a share. The last one deletes the share.
func (r *memoryPool) leave(owner poolUser) *share {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shares[owner]
	if s.reservations--; s.reservations == 0 {
		delete(r.shares, owner)
	}
	return s
}
