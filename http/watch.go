package http

import (
	"context"
	"sync"
	"time"

	"kith"
)

// tokenChecked is the interval for checking the tokens of open streams.
const tokenChecked = time.Second

// watches check the tokens of open streams: each token once per interval, regardless of its number of streams, since a
// check of each would be a goroutine of each. The zero value is ready to use.
type watches struct {
	mu      sync.Mutex
	streams map[watched]map[*context.CancelCauseFunc]struct{}
}

// watched is a token with open streams.
type watched struct {
	dataset *Dataset
	token   string
}

// whileSignedIn returns a context that ends when the caller's token does, with the reason as its cause. The returned
// function ends it.
func (ws *watches) whileSignedIn(ctx context.Context, c caller) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	token, stream := watched{c.dataset, c.token}, &cancel
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.streams == nil {
		ws.streams = map[watched]map[*context.CancelCauseFunc]struct{}{}
	}
	if ws.streams[token] == nil {
		ws.streams[token] = map[*context.CancelCauseFunc]struct{}{}
		time.AfterFunc(tokenChecked, func() { ws.check(token) })
	}
	ws.streams[token][stream] = struct{}{}
	return ctx, func() {
		ws.mu.Lock()
		defer ws.mu.Unlock()
		delete(ws.streams[token], stream)
		cancel(nil)
	}
}

// check ends the streams of a token that has ended, and checks others again. A token without streams is forgotten.
func (ws *watches) check(token watched) {
	if !ws.open(token) {
		return
	}
	_, err := token.dataset.Auth.Verify(context.Background(), token.token)
	if kith.KindOf(err) != kith.Unauthorized {
		time.AfterFunc(tokenChecked, func() { ws.check(token) })
		return
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for stream := range ws.streams[token] {
		(*stream)(err)
	}
	delete(ws.streams, token)
}

// open reports whether a token has streams.
func (ws *watches) open(token watched) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if len(ws.streams[token]) > 0 {
		return true
	}
	delete(ws.streams, token)
	return false
}
