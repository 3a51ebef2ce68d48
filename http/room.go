package http

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"kith/index/turns"
	"kith/internal/search"
)

// What is in memory for large requests at a time, of which one user may have half.
const (
	// roomForBodies is in bytes: a large body, with all that is made of it, takes some
	// six times its size of memory until it is answered.
	roomForBodies = 128 << 20
	// roomForLists is in entries of lists, whose people are all in one answer.
	roomForLists = 4 * search.MaxListEntries
	// roomForUploads is how many uploads of files are received at a time.
	roomForUploads = 8
	// roomForExports is in exports: each reads much of the database, and takes room on
	// the disk until it is sent.
	roomForExports = 4
	// fewEntries are no more than a page.
	fewEntries = search.MaxLimit
	// roomWait is how long a request waits for room.
	roomWait = 10 * time.Second
)

// rooms are what large requests may take of the memory, each by one measure.
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

// roomOwner is a user of a directory.
type roomOwner struct {
	directory *Directory
	user      int64
}

// share is the room of a user who has claims on it.
type share struct {
	*semaphore.Weighted
	claims int
}

func newRoom(size int64) *room {
	return &room{size: size, all: semaphore.NewWeighted(size), shares: map[roomOwner]*share{}}
}

// claims are what one request has of the rooms. Every request asks for its body
// first and for its list then, so that no two wait for each other.
type claims struct {
	*rooms
	owner roomOwner
	taken []claim
}

type claim struct {
	room *room
	size int64
}

// body waits for room for a large body. A request of nobody has no claims, and no
// body that is large.
func (c *claims) body(ctx context.Context, bytes int64) error {
	if c == nil {
		return nil
	}
	return c.take(ctx, c.bodies, bytes)
}

// upload waits for its turn to be received.
func (c *claims) upload(ctx context.Context) error { return c.take(ctx, c.uploads, 1) }

// list waits for room for a list, if it is one for which there has to be.
func (c *claims) list(ctx context.Context, entries int) error {
	if entries <= fewEntries {
		return nil
	}
	return c.take(ctx, c.lists, int64(min(entries, search.MaxListEntries)))
}

// export waits for room for an export.
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

// giveBack gives back what was taken.
func (c *claims) giveBack() {
	for _, t := range c.taken {
		t.room.all.Release(t.size)
		t.room.leave(c.owner).Release(t.size)
	}
}

// enter counts a claim on the share of a user.
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

// leave ends a claim on a share, which is forgotten with the last.
func (r *room) leave(owner roomOwner) *share {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.shares[owner]
	if s.claims--; s.claims == 0 {
		delete(r.shares, owner)
	}
	return s
}
