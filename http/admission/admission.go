// Package admission decides which requests of a server work, which wait, and which are refused when there are more than
// the server can serve. A [Queue] has a capacity, of which each request takes a part for as long as it works. Waits are
// short: under overload a server answers as many requests as it can, in time, and refuses the others at once.
package admission

import (
	"context"
	"slices"
	"sync"
	"time"

	"kith"
)

const (
	// patience is the longest wait of a new request.
	patience = 500 * time.Millisecond
	// target is the longest wait in a line that has not been empty for patience: such a line is not a burst, and would
	// only add its length to the time of every answer.
	target = 100 * time.Millisecond
	// resumption is the longest wait of a request in the middle of its answer.
	resumption = 10 * time.Second
	// maxLine and maxWaiting are the most new requests that wait, of one user and in all.
	maxLine    = 200
	maxWaiting = 1000
)

// Queue shares out a capacity between users. One user gets at most half. Users take turns; their own requests come in
// order, but newest first in a line that has not been empty for half a second, because the others are too old to be
// answered in time. It is safe for concurrent use; a nil Queue has no limit.
type Queue[U comparable] struct {
	capacity, each int64

	mu    sync.Mutex
	taken int64
	lines map[U]*line[U]
	// next are the lines in which requests wait. The one served longest ago comes first.
	next    []*line[U]
	waiting int
}

// line is one user's requests.
type line[U comparable] struct {
	user U
	// taken is what the working ones take.
	taken int64
	// waiters come in order, those in the middle of their answers first.
	waiters []*waiter
	// since is when the line was last empty.
	since time.Time
}

// waiter is a waiting request.
type waiter struct {
	cost  int64
	since time.Time
	begun bool
	// result gets nil or the refusal.
	result chan error
}

// New returns a queue.
func New[U comparable](capacity int64) *Queue[U] {
	return &Queue[U]{capacity: capacity, each: max(1, capacity/2), lines: map[U]*line[U]{}}
}

// Slot is the right to work; releasing the zero value does nothing.
type Slot struct{ release func() }

// Release frees the slot for waiting requests. It must be called once.
func (s Slot) Release() {
	if s.release != nil {
		s.release()
	}
}

// Take waits at most half a second for a part of the capacity; a cost above half of it counts as half. The refusal is a
// *kith.Error of kind RateLimited if the user's own requests are in the way, otherwise of kind Unavailable. Do not take
// a second slot while holding one: that can deadlock.
func (q *Queue[U]) Take(ctx context.Context, user U, cost int64) (Slot, error) {
	return q.take(ctx, user, &waiter{cost: cost}, patience)
}

// Resume is [Queue.Take] for a request in the middle of its answer: it comes before new ones of its user, and waits up
// to ten seconds.
func (q *Queue[U]) Resume(ctx context.Context, user U, cost int64) (Slot, error) {
	return q.take(ctx, user, &waiter{cost: cost, begun: true}, resumption)
}

// Check returns a refusal if so many requests of a user wait that Take would refuse another one at once.
func (q *Queue[U]) Check(user U) error {
	if q == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if l := q.lines[user]; l != nil && len(l.waiters) >= maxLine {
		return q.refusal(l, l.waiters[0])
	}
	return nil
}

func (q *Queue[U]) take(ctx context.Context, user U, w *waiter, wait time.Duration) (Slot, error) {
	if q == nil {
		return Slot{}, nil
	}
	w.cost, w.since, w.result = min(w.cost, q.each), time.Now(), make(chan error, 1)
	q.mu.Lock()
	l := q.enter(user, w)
	q.serve(w.since)
	q.mu.Unlock()
	if err := q.await(ctx, l, w, wait); err != nil {
		return Slot{}, err
	}
	return Slot{func() { q.release(l, w.cost) }}, nil
}

// await waits for the result of a request.
func (q *Queue[U]) await(ctx context.Context, l *line[U], w *waiter, wait time.Duration) (err error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case err := <-w.result:
		return err
	case <-timer.C:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(l.waiters, w); i >= 0 {
		q.remove(l, i, err)
		q.serve(time.Now()) // the next one may cost less
	}
	return <-w.result
}

// enter puts a request in its user's line. If too many wait, the oldest of a longest line is refused.
func (q *Queue[U]) enter(user U, w *waiter) *line[U] {
	l := q.lines[user]
	if l == nil {
		l = &line[U]{user: user}
		q.lines[user] = l
	}
	if len(l.waiters) == 0 {
		l.since = w.since
		q.next = append(q.next, l)
	}
	at := len(l.waiters)
	if w.begun {
		at = l.begun()
	}
	l.waiters = slices.Insert(l.waiters, at, w)
	q.waiting++
	if !w.begun && (len(l.waiters) > maxLine || q.waiting > maxWaiting) {
		full := slices.MaxFunc(q.next, func(a, b *line[U]) int { return len(a.waiters) - len(b.waiters) })
		if oldest := full.begun(); oldest < len(full.waiters) {
			q.remove(full, oldest, nil)
		}
	}
	return l
}

// begun returns how many of the waiting requests are in the middle of their answers.
func (l *line[U]) begun() int {
	if i := slices.IndexFunc(l.waiters, func(w *waiter) bool { return !w.begun }); i >= 0 {
		return i
	}
	return len(l.waiters)
}

// serve lets requests work while there is capacity for the next one. A user who has half of it is passed over.
func (q *Queue[U]) serve(now time.Time) {
	for i := 0; i < len(q.next); {
		l := q.next[i]
		at := q.first(l, now)
		switch {
		case at < 0:
			q.clear(l)
		case l.taken+l.waiters[at].cost > q.each:
			i++
		case q.taken+l.waiters[at].cost > q.capacity:
			return
		default:
			w := l.waiters[at]
			l.waiters = slices.Delete(l.waiters, at, at+1)
			q.waiting--
			q.taken, l.taken = q.taken+w.cost, l.taken+w.cost
			w.result <- nil
			q.next = append(slices.Delete(q.next, i, i+1), l)
			if len(l.waiters) == 0 {
				q.next = q.next[:len(q.next)-1]
			}
		}
	}
}

// first returns the place of the request of a line whose turn it is, -1 for none. It refuses those that are too old.
func (q *Queue[U]) first(l *line[U], now time.Time) int {
	begun := l.begun()
	isBusy := now.Sub(l.since) > patience
	for isBusy && len(l.waiters) > begun && now.Sub(l.waiters[begun].since) > target {
		q.remove(l, begun, nil)
	}
	if begun == 0 && isBusy {
		return len(l.waiters) - 1
	}
	return min(0, len(l.waiters)-1)
}

// remove takes a request out of a line and refuses it: with err, if that is not nil.
func (q *Queue[U]) remove(l *line[U], at int, err error) {
	w := l.waiters[at]
	if err == nil {
		err = q.refusal(l, w)
	}
	l.waiters = slices.Delete(l.waiters, at, at+1)
	q.waiting--
	w.result <- err
	q.clear(l)
}

func (q *Queue[U]) refusal(l *line[U], w *waiter) error {
	if l.taken+w.cost > q.each || q.taken+w.cost <= q.capacity {
		return &kith.Error{
			Kind: kith.RateLimited, Code: "TOO_MUCH_AT_ONCE", RetryAfter: time.Second,
			Detail: "this user has too many or too large requests in progress; wait for some to end, then try again",
		}
	}
	return &kith.Error{
		Kind: kith.Unavailable, Code: "SERVER_BUSY", RetryAfter: time.Second,
		Detail: "the server is overloaded; try again",
	}
}

func (q *Queue[U]) release(l *line[U], cost int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken, l.taken = q.taken-cost, l.taken-cost
	q.clear(l)
	q.serve(time.Now())
}

// clear forgets a line without requests, and its turn.
func (q *Queue[U]) clear(l *line[U]) {
	if len(l.waiters) > 0 {
		return
	}
	if i := slices.Index(q.next, l); i >= 0 {
		q.next = slices.Delete(q.next, i, i+1)
	}
	if l.taken == 0 && q.lines[l.user] == l {
		delete(q.lines, l.user)
	}
}
