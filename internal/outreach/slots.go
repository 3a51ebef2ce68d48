package outreach

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// Sender is an integration of a user. Integration 0 is for e-mails without one.
type Sender struct{ User, Integration int64 }

// maxSending is how many integrations may send at once.
const maxSending = 32

// slots tracks which integrations are sending, each in a goroutine (its turn). Integrations do not wait for each other
// while fewer than maxSending are sending, so a mail server that hangs delays only its own integrations.
type slots struct {
	taken chan struct{}
	// ended holds a value if a turn has ended since the last receive.
	ended chan struct{}
	all   sync.WaitGroup

	mu   sync.Mutex
	busy map[Sender]struct{}
}

func newSlots() *slots {
	return &slots{taken: make(chan struct{}, maxSending), ended: make(chan struct{}, 1), busy: map[Sender]struct{}{}}
}

// senders returns the integrations that are sending.
func (t *slots) senders() []Sender {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.busy))
}

// start begins a turn for an idle sender as soon as there is capacity. If ctx ends first, it does nothing.
func (t *slots) start(ctx context.Context, s Sender, turn func()) {
	select {
	case t.taken <- struct{}{}:
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

func (t *slots) end(s Sender) {
	t.mu.Lock()
	delete(t.busy, s)
	t.mu.Unlock()
	<-t.taken
	select {
	case t.ended <- struct{}{}:
	default:
	}
}
