package outreach

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// Sender is an integration of a user; that of a number 0 is for e-mails that name
// none.
type Sender struct{ User, Integration int64 }

// sideBySide is through how many integrations is sent at a time.
const sideBySide = 32

// turns are those of senders who are at work. None waits for another, as long as
// there is room: a mail server that hangs holds up only who sends through it.
type turns struct {
	room chan struct{}
	// ended tells that a turn has ended since it was last asked.
	ended chan struct{}
	all   sync.WaitGroup

	mu   sync.Mutex
	busy map[Sender]struct{}
}

func newTurns() *turns {
	return &turns{room: make(chan struct{}, sideBySide), ended: make(chan struct{}, 1), busy: map[Sender]struct{}{}}
}

// senders are those who have a turn.
func (t *turns) senders() []Sender {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.busy))
}

// give begins the turn of a sender who has none, once there is room; it does not
// where ctx ends before.
func (t *turns) give(ctx context.Context, s Sender, turn func()) {
	select {
	case t.room <- struct{}{}:
	case <-ctx.Done():
		return
	}
	t.mu.Lock()
	t.busy[s] = struct{}{}
	t.mu.Unlock()
	t.all.Go(func() {
		defer t.end(s)
		turn()
	})
}

func (t *turns) end(s Sender) {
	t.mu.Lock()
	delete(t.busy, s)
	t.mu.Unlock()
	<-t.room
	select {
	case t.ended <- struct{}{}:
	default:
	}
}
