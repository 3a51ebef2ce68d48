package outreach

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// Sender is an integration of a user. Integration 0 is for e-mails without one.
type Sender struct{ User, Integration int64 }

// sideBySide is how many integrations may send at once.
const sideBySide = 32

// turns tracks which integrations are sending, each in a goroutine (its turn).
// Integrations do not wait for each other while fewer than sideBySide are sending, so a
// mail server that hangs delays only its own integrations.
type turns struct {
	room chan struct{}
	// ended holds a value if a turn has ended since the last receive.
	ended chan struct{}
	all   sync.WaitGroup

	mu   sync.Mutex
	busy map[Sender]struct{}
}

func newTurns() *turns {
	return &turns{room: make(chan struct{}, sideBySide), ended: make(chan struct{}, 1), busy: map[Sender]struct{}{}}
}

// senders returns the integrations that are sending.
func (t *turns) senders() []Sender {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.busy))
}

// give starts a turn for an idle sender as soon as there is capacity. If ctx ends first,
// it does nothing.
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
