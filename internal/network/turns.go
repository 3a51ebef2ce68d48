package network

import (
	"context"
	"sync"
)

// turns lets what is done for one user wait for each other; other users never
// wait, so that no one can tell from waiting what is done for another. It is
// safe for concurrent use; the zero value is ready.
type turns struct {
	mu    sync.Mutex
	users map[int64]*turn
}

// turn is the turn of a user, and how many have it or wait for it.
type turn struct {
	free chan struct{}
	want int
}

// take waits for the turn of a user; done ends it.
func (t *turns) take(ctx context.Context, user int64) (done func(), err error) {
	mine := t.join(user)
	select {
	case <-mine.free:
		return func() { mine.free <- struct{}{}; t.leave(user, mine) }, nil
	case <-ctx.Done():
		t.leave(user, mine)
		return nil, ctx.Err()
	}
}

func (t *turns) join(user int64) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.users == nil {
		t.users = map[int64]*turn{}
	}
	mine := t.users[user]
	if mine == nil {
		mine = &turn{free: make(chan struct{}, 1)}
		mine.free <- struct{}{}
		t.users[user] = mine
	}
	mine.want++
	return mine
}

func (t *turns) leave(user int64, mine *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if mine.want--; mine.want == 0 {
		delete(t.users, user)
	}
}
