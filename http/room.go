package http

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"kith/index/turns"
	"kith/internal/search"
)

// Memory reservations ("room") for large requests in progress. One user may have half of each.
const (
	// roomForBodies is in bytes. Until it is answered, a large body takes about six times its size in memory.
	roomForBodies = 128 << 20
	// roomForLists is in list entries. A list's people are all in one answer.
	roomForLists = 4 * search.MaxListEntries
	// roomForUploads is the number of simultaneous file uploads.
	roomForUploads = 8
	// roomForExports is the number of simultaneous exports. Each reads much of the database, and
	// uses disk space until it is sent.
	roomForExports = 4
	// fewEntries is a list size that needs no reservation: at most a page.
	fewEntries = search.MaxLimit
	// roomWait is the maximum wait for a reservation.
	roomWait = 10 * time.Second
)

// rooms are the memory limits for large requests, each with its own unit.
type rooms struct{ bodies, lists, uploads, exports *room }

func newRooms() rooms {
	return rooms{
		bodies: newRoom(roomForBodies), lists: newRoom(roomForLists), uploads: newRoom(roomForUploads),
		exports: newRoom(roomForExports),
	}
}

type room struct {
	size int64
	all  *semaphore.Weighted

	mu     sync.Mutex
	shares map[roomOwner]*share
}

// roomOwner is a user of a dataset.
type roomOwner struct {
	directory *Directory
	user      int64
}

// share is one user's part of a room, with the number of reservations.
type share struct {
	*semaphore.Weighted
	claims int
}

func newRoom(size int64) *room {
	return &room{size: size, all: semaphore.NewWeighted(size), shares: map[roomOwner]*share{}}
}

// claims are the reservations of one request. Every request reserves its body first and its list
// second, which avoids deadlocks.
type claims struct {
	*rooms
	owner roomOwner
	taken []claim
}

type claim struct {
	room *room
	size int64
}

// body waits for a reservation for a large body. Requests without a caller have no claims, and no large body.
func (c *claims) body(ctx context.Context, bytes int64) error {
	if c == nil {
		return nil
	}
	return c.take(ctx, c.bodies, bytes)
}

// upload waits for an upload slot.
func (c *claims) upload(ctx context.Context) error { return c.take(ctx, c.uploads, 1) }

// list waits for a reservation for a list, if it is large.
func (c *claims) list(ctx context.Context, entries int) error {
	if entries <= fewEntries {
		return nil
	}
	return c.take(ctx, c.lists, int64(min(entries, search.MaxListEntries)))
}

// export waits for an export slot.
func (c *claims) export(ctx context.Context) error { return c.take(ctx, c.exports, 1) }

func (c *claims) take(ctx context.Context, r *room, size int64) error {
	ctx, cancel := context.WithTimeout(ctx, roomWait)
	defer cancel()
	if err := r.enter(c.owner).Acquire(ctx, size); err != nil {
		r.leave(c.owner)
		return turns.TooMuch(err)
	}
	if err := r.all.Acquire(ctx, size); err != nil {
		r.leave(c.owner).Release(size)
		return turns.Busy(err)
	}
	c.taken = append(c.taken, claim{r, size})
	return nil
}

// giveBack releases all reservations.
func (c *claims) giveBack() {
	for _, t := range c.taken {
		t.room.all.Release(t.size)
		t.room.leave(c.owner).Release(t.size)
	}
}

// enter counts a reservation in a user's share.
func (r *room) enter(owner roomOwner) *share {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shares[owner]
	if s == nil {
		s = &share{Weighted: semaphore.NewWeighted(r.size / 2)}
		r.shares[owner] = s
	}
	s.claims++
	return s
}

// leave ends a reservation in a share. The last one deletes the share.
func (r *room) leave(owner roomOwner) *share {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shares[owner]
	if s.claims--; s.claims == 0 {
		delete(r.shares, owner)
	}
	return s
}
