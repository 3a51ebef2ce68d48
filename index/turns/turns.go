// Package turns is a fair limiter for a shared resource, such as an engine or the connections
// of a database: users take turns.
package turns

import (
	"container/list"
	"context"
	"sync"
	"time"

	"kith"
)

// patience is how long a user waits for a turn: for as long as a search may take.
const patience = 10 * time.Second

// Turns gives users their turns. Who has to wait comes by turns with the other users
// who wait, however often each of them does. It is safe for concurrent use; nil lets
// everyone do as they like.
type Turns struct {
	all, each int

	mu    sync.Mutex
	taken int
	// takenBy is how many turns each user has who has any.
	takenBy map[int64]int
	// waiting are those who wait, by user, and next the lines of those users who may
	// have one turn more, whoever has waited longest for one first.
	waiting map[int64]*line
	next    list.List
}

// line is what waits for turns of one user: channels that are closed when it is
// their turn.
type line struct {
	user    int64
	waiters list.List
	// place is where the line stands among the next; nil where the user has all turns
	// that one may have.
	place *list.Element
}

// New returns so many turns for all users, of which one user may have each at a time.
func New(all, each int) *Turns {
	return &Turns{all: all, each: each, takenBy: map[int64]int{}, waiting: map[int64]*line{}}
}

// Turn is one that was taken; the zero value is one that nobody needs.
type Turn struct {
	of   *Turns
	user int64
}

// Take waits for a turn of the user of ctx; where there is none, as for a command, it
// needs no turn. Who waits in vain gets a *kith.Error: of kind RateLimited where the
// user has all turns that one may have, else of kind Unavailable. Do not wait for
// a second turn with the first in hand.
func (t *Turns) Take(ctx context.Context) (Turn, error) {
	actor, ok := kith.ActorFrom(ctx)
	if t == nil || !ok {
		return Turn{}, nil
	}
	turn := Turn{t, actor.UserID}
	t.mu.Lock()
	if t.taken < t.all && t.takenBy[turn.user] < t.each { // then nobody waits who could have it
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

// In asks for something in a turn; see [Turns.Take].
func In[T any](ctx context.Context, t *Turns, ask func() (T, error)) (out T, err error) {
	turn, err := t.Take(ctx)
	if err != nil {
		return out, err
	}
	defer turn.GiveBack()
	return ask()
}

// GiveBack lets the next have the turn.
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
	case <-mine: // in this very moment; who has no time left gives it back
		return nil
	default:
	}
	t.leave(user, place)
	if t.takenBy[user] < t.each {
		return Busy(context.Cause(ctx))
	}
	return TooMuch(context.Cause(ctx))
}

// Busy is the error for a user for whom others have left nothing.
func Busy(cause error) error {
	return &kith.Error{
		Kind: kith.Unavailable, Code: "SERVER_BUSY", RetryAfter: time.Second, Cause: cause,
		Detail: "the server has too much to do; ask again",
	}
}

// TooMuch is the error for a user whose own requests have all that one user may have.
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

// queue puts a waiter at the end of its user's line.
func (t *Turns) queue(user int64, waiter chan struct{}) *list.Element {
	l := t.waiting[user]
	if l == nil {
		l = &line{user: user}
		t.waiting[user] = l
		t.enter(l)
	}
	return l.waiters.PushBack(waiter)
}

// enter puts a line behind the others that are next, where its user may have one
// turn more.
func (t *Turns) enter(l *line) {
	if t.takenBy[l.user] < t.each {
		l.place = t.next.PushBack(l)
	}
}

// leave takes a waiter out of its user's line.
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

// handOn takes a turn back from a user and gives it to whoever is next.
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
