// Package fair is a fair limiter for a shared resource, such as an engine or the connections of a database: users
// take turns.
package fair

import (
	"container/list"
	"context"
	"sync"
	"time"

	"kith"
)

// maxWait is how long a user waits for a slot: as long as a search may take.
const maxWait = 10 * time.Second

// Limiter limits concurrent work, in total and for each user. Waiting users are served in rotation, however many
// requests each of them has. It is safe for concurrent use; a nil Limiter has no limit.
type Limiter struct {
	all, each int

	mu    sync.Mutex
	taken int
	// takenBy counts the slots of each user who has any.
	takenBy map[int64]int
	// waiting has the waiting requests by user. next has the lines of users below their own limit; the user who has
	// waited longest comes first.
	waiting map[int64]*line
	next    list.List
}

// line is the waiting requests of one user: channels that are closed when they get a slot.
type line struct {
	user    int64
	waiters list.List
	// element is the line's element in next; nil if the user has reached the limit of one user.
	element *list.Element
}

// New returns a limiter with all slots in total, and at most each of them for one user.
func New(all, each int) *Limiter {
	return &Limiter{all: all, each: each, takenBy: map[int64]int{}, waiting: map[int64]*line{}}
}

// Slot is the right to work at once with others; releasing the zero value does nothing.
type Slot struct {
	of   *Limiter
	user int64
}

type userKey struct{}

// WithUser returns a context whose work counts against a user; see [Limiter.Acquire]. The user of a context only shares
// out capacity: it decides about nothing that a caller may see.
func WithUser(ctx context.Context, user int64) context.Context {
	return context.WithValue(ctx, userKey{}, user)
}

// Acquire waits up to 10 seconds for a slot of the user of ctx, from [WithUser]. A context without a user, as in a
// command, needs no slot. If none comes free it returns a *kith.Error: of kind RateLimited if the user has reached the
// limit of one user, otherwise of kind Unavailable. Do not wait for a second slot while holding one: that can deadlock.
func (lim *Limiter) Acquire(ctx context.Context) (Slot, error) {
	user, ok := ctx.Value(userKey{}).(int64)
	if lim == nil || !ok {
		return Slot{}, nil
	}
	slot := Slot{lim, user}
	lim.mu.Lock()
	if lim.taken < lim.all && lim.takenBy[slot.user] < lim.each { // nobody else waits for it
		lim.grant(slot.user)
		lim.mu.Unlock()
		return slot, nil
	}
	mine := make(chan struct{})
	element := lim.queue(slot.user, mine)
	lim.mu.Unlock()
	if err := lim.wait(ctx, slot.user, mine, element); err != nil {
		return Slot{}, err
	}
	return slot, nil
}

// Do runs ask while holding a slot; see [Limiter.Acquire].
func Do[T any](ctx context.Context, lim *Limiter, ask func() (T, error)) (out T, err error) {
	slot, err := lim.Acquire(ctx)
	if err != nil {
		return out, err
	}
	defer slot.Release()
	return ask()
}

// Release frees the slot for the next waiting request.
func (s Slot) Release() {
	if s.of == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.passOn(s.user)
}

func (lim *Limiter) wait(ctx context.Context, user int64, mine chan struct{}, element *list.Element) error {
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	lim.mu.Lock()
	defer lim.mu.Unlock()
	select {
	case <-mine: // granted just now; a caller without time left releases it
		return nil
	default:
	}
	lim.leave(user, element)
	if lim.takenBy[user] < lim.each {
		return Overloaded(context.Cause(ctx))
	}
	return OverLimit(context.Cause(ctx))
}

// Overloaded is the error if other users take all of the capacity.
func Overloaded(cause error) error {
	return &kith.Error{
		Kind: kith.Unavailable, Code: "SERVER_BUSY", RetryAfter: time.Second, Cause: cause,
		Detail: "the server is overloaded; try again",
	}
}

// OverLimit is the error if the user's own requests have reached the limit of one user.
func OverLimit(cause error) error {
	return &kith.Error{
		Kind: kith.RateLimited, Code: "TOO_MUCH_AT_ONCE", RetryAfter: time.Second, Cause: cause,
		Detail: "this user has too many or too large requests in progress; wait for some to end, then try again",
	}
}

func (lim *Limiter) grant(user int64) {
	lim.taken++
	lim.takenBy[user]++
}

// queue appends a request to its user's line.
func (lim *Limiter) queue(user int64, waiter chan struct{}) *list.Element {
	l := lim.waiting[user]
	if l == nil {
		l = &line{user: user}
		lim.waiting[user] = l
		lim.enter(l)
	}
	return l.waiters.PushBack(waiter)
}

// enter appends a line to next if its user is below the limit of one user.
func (lim *Limiter) enter(l *line) {
	if lim.takenBy[l.user] < lim.each {
		l.element = lim.next.PushBack(l)
	}
}

// leave removes a request from its user's line.
func (lim *Limiter) leave(user int64, waiter *list.Element) {
	l := lim.waiting[user]
	l.waiters.Remove(waiter)
	if l.waiters.Len() > 0 {
		return
	}
	delete(lim.waiting, user)
	if l.element != nil {
		lim.next.Remove(l.element)
	}
}

// passOn takes a slot back from a user and gives it to the next waiting request.
func (lim *Limiter) passOn(user int64) {
	lim.taken--
	if lim.takenBy[user]--; lim.takenBy[user] == 0 {
		delete(lim.takenBy, user)
	}
	if l := lim.waiting[user]; l != nil && l.element == nil {
		lim.enter(l)
	}
	first := lim.next.Front()
	if first == nil {
		return
	}
	l, _ := lim.next.Remove(first).(*line)
	l.element = nil
	waiter := l.waiters.Front()
	lim.grant(l.user)
	close(waiter.Value.(chan struct{})) // lines hold nothing else
	lim.leave(l.user, waiter)
	if l.waiters.Len() > 0 {
		lim.enter(l)
	}
}
