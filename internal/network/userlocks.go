package network

import (
	"context"
	"sync"
)

// userLocks holds one lock per user. It serialises the work for one user, so that waiting times reveal nothing about
// other users. It is safe for concurrent use; the zero value is ready.
type userLocks struct {
	mu    sync.Mutex
	users map[int64]*userLock
}

// userLock is taken by sending to held; refs counts its holder and waiters.
type userLock struct {
	held chan struct{}
	refs int
}

// lock waits for the lock of a user.
func (l *userLocks) lock(ctx context.Context, user int64) (unlock func(), err error) {
	mine := l.acquire(user)
	select {
	case mine.held <- struct{}{}:
		return func() { <-mine.held; l.release(user, mine) }, nil
	case <-ctx.Done():
		l.release(user, mine)
		return nil, ctx.Err()
	}
}

func (l *userLocks) acquire(user int64) *userLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users == nil {
		l.users = map[int64]*userLock{}
	}
	mine := l.users[user]
	if mine == nil {
		mine = &userLock{held: make(chan struct{}, 1)}
		l.users[user] = mine
	}
	mine.refs++
	return mine
}

func (l *userLocks) release(user int64, mine *userLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if mine.refs--; mine.refs == 0 {
		delete(l.users, user)
	}
}
