package index

import (
	"container/list"
	"context"
	"sync"
	"time"

	"kith"
)

// Turns bounds how many requests of searches an engine works on at a time.
type Turns struct {
	// All is how many of all callers there may be, Each how many of one user.
	// Requests of nobody, as those of commands, are not bounded.
	All, Each int
}

// turns gives requests their turns. Who has to wait comes by turns with the other
// users who wait, however many requests each of them has.
type turns struct {
	Turns

	mu    sync.Mutex
	taken int
	// takenBy is how many turns each user has who has any.
	takenBy map[int64]int
	// waiting are the requests that wait, by user, and next the lines of those users
	// who may have one turn more, whoever has waited longest for one first.
	waiting map[int64]*line
	next    list.List
}

// line is the requests of one user that wait: channels that are closed when it is
// their turn.
type line struct {
	user     int64
	requests list.List
	// place is where the line stands among the next; nil where the user has all turns
	// that one may have.
	place *list.Element
}

func newTurns(bounds Turns) *turns {
	return &turns{Turns: bounds, takenBy: map[int64]int{}, waiting: map[int64]*line{}}
}

// inTurn asks the engine when it is the caller's turn.
func inTurn[T any](ctx context.Context, t *turns, ask func() (T, error)) (out T, err error) {
	actor, ok := kith.ActorFrom(ctx)
	if t == nil || !ok {
		return ask()
	}
	if err := t.take(ctx, actor.UserID); err != nil {
		return out, err
	}
	defer t.giveBack(actor.UserID)
	return ask()
}

// take waits for a turn of a user. Where ctx ends before, the error says what the
// turns are taken by.
func (t *turns) take(ctx context.Context, user int64) error {
	t.mu.Lock()
	if t.taken < t.All && t.takenBy[user] < t.Each { // then nobody waits who could have it
		t.give(user)
		t.mu.Unlock()
		return nil
	}
	mine := make(chan struct{})
	place := t.queue(user, mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-mine: // in this very moment
		t.handOn(user)
	default:
		t.leave(user, place)
	}
	return t.refusal(user, context.Cause(ctx))
}

func (t *turns) refusal(user int64, cause error) error {
	if t.takenBy[user] < t.Each {
		return &kith.Error{
			Kind: kith.Unavailable, Code: "SERVER_BUSY", RetryAfter: time.Second, Cause: cause,
			Detail: "too many searches are at work; ask again",
		}
	}
	return &kith.Error{
		Kind: kith.RateLimited, Code: "TOO_MANY_SEARCHES", RetryAfter: time.Second, Cause: cause,
		Detail: "too many searches of this user are at work at once; wait for some of them to end, then ask again",
	}
}

func (t *turns) giveBack(user int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.handOn(user)
}

func (t *turns) give(user int64) {
	t.taken++
	t.takenBy[user]++
}

// queue puts a request at the end of its user's line.
func (t *turns) queue(user int64, request chan struct{}) *list.Element {
	l := t.waiting[user]
	if l == nil {
		l = &line{user: user}
		t.waiting[user] = l
		t.enter(l)
	}
	return l.requests.PushBack(request)
}

// enter puts a line behind the others that are next, where its user may have one
// turn more.
func (t *turns) enter(l *line) {
	if t.takenBy[l.user] < t.Each {
		l.place = t.next.PushBack(l)
	}
}

// leave takes a request out of its user's line.
func (t *turns) leave(user int64, request *list.Element) {
	l := t.waiting[user]
	l.requests.Remove(request)
	if l.requests.Len() > 0 {
		return
	}
	delete(t.waiting, user)
	if l.place != nil {
		t.next.Remove(l.place)
	}
}

// handOn takes a turn back from a user and gives it to whoever is next.
func (t *turns) handOn(user int64) {
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
	request := l.requests.Front()
	t.give(l.user)
	close(request.Value.(chan struct{})) //nolint:forcetypeassert // lines hold nothing else
	t.leave(l.user, request)
	if l.requests.Len() > 0 {
		t.enter(l)
	}
}
