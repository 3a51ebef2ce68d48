// Package turns is a fair limiter for a shared resource, such as an engine or the connections of a database: users
// take turns.
package turns

import (
	"container/list"
	"context"
	"sync"
	"time"

	"kith"
)

// patience is how long a user waits for a turn: as long as a search may take.
const patience = 10 * time.Second

// Turns limits concurrent work, in total and for each user. Waiting users are served in rotation, however many
// requests each of them has. It is safe for concurrent use; a nil Turns has no limit.
type Turns struct {
	all, each int

	mu    sync.Mutex
	taken int
	// takenBy counts the turns of each user who has any.
	takenBy map[int64]int
	// waiting has the waiting requests by user. next has the lines of users below their own limit; the user who has
	// waited longest comes first.
	waiting map[int64]*line
	next    list.List
}

// line is the waiting requests of one user: channels that are closed on their turn.
type line struct {
	user    int64
	waiters list.List
	// place is the line's element in next; nil if the user has reached the limit of one user.
	place *list.Element
}

// New returns a limiter with all turns in total, and at most each of them for one user.
func New(all, each int) *Turns {
	return &Turns{all: all, each: each, takenBy: map[int64]int{}, waiting: map[int64]*line{}}
}

// Turn is a turn that was taken; giving back the zero value does nothing.
type Turn struct {
	of   *Turns
	user int64
}

// Take waits up to 10 seconds for a turn of the user of ctx. A context without a user, as in a command, needs no
// turn. After a vain wait it returns a *kith.Error: of kind RateLimited if the user has reached the limit of one
// user, otherwise of kind Unavailable. Do not wait for a second turn while holding one: that can deadlock.
func (t *Turns) Take(ctx context.Context) (Turn, error) {
	actor, ok := kith.ActorFrom(ctx)
	if t == nil || !ok {
		return Turn{}, nil
	}
	turn := Turn{t, actor.UserID}
	t.mu.Lock()
	if t.taken < t.all && t.takenBy[turn.user] < t.each { // nobody waits who could have it
		t.give(turn.user)
		t.mu.Unlock()
		return turn, nil
	}
	mine := make(chan struct{})
	place := t.queue(turn.user, mine)
	t.mu.Unlock()
	if err := t.wait(ctx, turn.user, mine, place); err != nil {
		return Turn{}, err
	}
	return turn, nil
}

// In runs ask while holding a turn; see [Turns.Take].
func In[T any](ctx context.Context, t *Turns, ask func() (T, error)) (out T, err error) {
	turn, err := t.Take(ctx)
	if err != nil {
		return out, err
	}
	defer turn.GiveBack()
	return ask()
}

// GiveBack returns the turn, for the next waiting request.
func (t Turn) GiveBack() {
	if t.of == nil {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.of.handOn(t.user)
}

func (t *Turns) wait(ctx context.Context, user int64, mine chan struct{}, place *list.Element) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-mine: // granted just now; a caller without time left gives it back
		return nil
	default:
	}
	t.leave(user, place)
	if t.takenBy[user] < t.each {
		return Busy(context.Cause(ctx))
	}
	return TooMuch(context.Cause(ctx))
}

// Busy is the error if other users take all of the capacity.
func Busy(cause error) error {
	return &kith.Error{
		Kind: kith.Unavailable, Code: "SERVER_BUSY", RetryAfter: time.Second, Cause: cause,
		Detail: "the server has too much to do; ask again",
	}
}

// TooMuch is the error if the user's own requests have reached the limit of one user.
func TooMuch(cause error) error {
	return &kith.Error{
		Kind: kith.RateLimited, Code: "TOO_MUCH_AT_ONCE", RetryAfter: time.Second, Cause: cause,
		Detail: "too many or too large requests of this user are at work at once; wait for some of them to be answered, " +
			"then ask again",
	}
}

func (t *Turns) give(user int64) {
	t.taken++
	t.takenBy[user]++
}

// queue appends a request to its user's line.
func (t *Turns) queue(user int64, waiter chan struct{}) *list.Element {
	l := t.waiting[user]
	if l == nil {
		l = &line{user: user}
		t.waiting[user] = l
		t.enter(l)
	}
	return l.waiters.PushBack(waiter)
}

// enter appends a line to next if its user is below the limit of one user.
func (t *Turns) enter(l *line) {
	if t.takenBy[l.user] < t.each {
		l.place = t.next.PushBack(l)
	}
}

// leave removes a request from its user's line.
func (t *Turns) leave(user int64, waiter *list.Element) {
	l := t.waiting[user]
	l.waiters.Remove(waiter)
	if l.waiters.Len() > 0 {
		return
	}
	delete(t.waiting, user)
	if l.place != nil {
		t.next.Remove(l.place)
	}
}

// handOn takes a turn back from a user and gives it to the next waiting request.
func (t *Turns) handOn(user int64) {
	t.taken--
	if t.takenBy[user]--; t.takenBy[user] == 0 {
		delete(t.takenBy, user)
	}
	if l := t.waiting[user]; l != nil && l.place == nil {
		t.enter(l)
	}
	first := t.next.Front()
	if first == nil {
		return
	}
	l, _ := t.next.Remove(first).(*line)
	l.place = nil
	waiter := l.waiters.Front()
	t.give(l.user)
	close(waiter.Value.(chan struct{})) //nolint:forcetypeassert // lines hold nothing else
	t.leave(l.user, waiter)
	if l.waiters.Len() > 0 {
		t.enter(l)
	}
}
