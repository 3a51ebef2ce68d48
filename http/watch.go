package http

import (
	"context"
	"sync"
	"time"

	"kith"
)

// tokenChecked is the interval for checking the tokens of open streams.
const tokenChecked = time.Second

// watches check the tokens of open streams: each token once per interval, regardless of its number
// of streams. The zero value is ready to use.
type watches struct {
	mu    sync.Mutex
	byKey map[watchKey]*watch
}

type watchKey struct {
	directory *Directory
	token     string
}

// watch is the check of one token. Its context ends when the token does, with the reason as its
// cause, or when no stream is left.
type watch struct {
	ended   context.Context //nolint:containedctx // it is the end of the token itself
	end     context.CancelCauseFunc
	streams int
}

// whileSignedIn returns a context that ends when the caller's token does, with the reason as its
// cause. The returned function ends the watch.
func (ws *watches) whileSignedIn(ctx context.Context, c caller) (context.Context, func()) {
	w := ws.begin(c)
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(w.ended, func() { cancel(context.Cause(w.ended)) })
	return ctx, func() {
		unhook()
		cancel(nil)
		ws.leave(c, w)
	}
}

// begin counts a stream of a token. The first stream starts the watch.
func (ws *watches) begin(c caller) *watch {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	key := watchKey{c.directory, c.token}
	w := ws.byKey[key]
	if w == nil {
		w = &watch{}
		w.ended, w.end = context.WithCancelCause(context.Background())
		if ws.byKey == nil {
			ws.byKey = map[watchKey]*watch{}
		}
		ws.byKey[key] = w
		go w.look(c)
	}
	w.streams++
	return w
}

func (ws *watches) leave(c caller, w *watch) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w.streams--; w.streams > 0 {
		return
	}
	if key := (watchKey{c.directory, c.token}); ws.byKey[key] == w {
		delete(ws.byKey, key)
	}
	w.end(nil)
}

// look checks the token until it has ended or no stream is left.
func (w *watch) look(c caller) {
	tick := time.NewTicker(tokenChecked)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-w.ended.Done():
			return
		}
		if _, err := c.directory.Auth.Verify(w.ended, c.token); kith.KindOf(err) == kith.Unauthorized {
			w.end(err)
		}
	}
}
