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
	dataset *Dataset
	token   string
}

// watch is the check of one token. It cancels the streams that depend on the token.
type watch struct {
	streams map[*context.CancelCauseFunc]struct{}
	stop    context.CancelFunc
}

// whileSignedIn returns a context that ends when the caller's token does, with the reason as its
// cause. The returned function ends the watch.
func (ws *watches) whileSignedIn(ctx context.Context, c caller) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := ws.begin(c, &cancel)
	return ctx, func() {
		ws.leave(c, w, &cancel)
		cancel(nil)
	}
}

// begin adds a stream to the watch of its token. The first stream starts the watch.
func (ws *watches) begin(c caller, stream *context.CancelCauseFunc) *watch {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	key := watchKey{c.dataset, c.token}
	w := ws.byKey[key]
	if w == nil {
		ctx, stop := context.WithCancel(context.Background())
		w = &watch{streams: map[*context.CancelCauseFunc]struct{}{}, stop: stop}
		if ws.byKey == nil {
			ws.byKey = map[watchKey]*watch{}
		}
		ws.byKey[key] = w
		go ws.poll(ctx, c, w)
	}
	w.streams[stream] = struct{}{}
	return w
}

func (ws *watches) leave(c caller, w *watch, stream *context.CancelCauseFunc) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if delete(w.streams, stream); len(w.streams) == 0 {
		ws.remove(c, w)
	}
}

// remove ends a watch. The caller holds the lock.
func (ws *watches) remove(c caller, w *watch) {
	w.stop()
	if key := (watchKey{c.dataset, c.token}); ws.byKey[key] == w {
		delete(ws.byKey, key)
	}
}

// poll checks the token until it has ended or ctx does.
func (ws *watches) poll(ctx context.Context, c caller, w *watch) {
	tick := time.NewTicker(tokenChecked)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if _, err := c.dataset.Auth.Verify(ctx, c.token); kith.KindOf(err) == kith.Unauthorized {
			ws.end(c, w, err)
		}
	}
}

// end cancels the streams of a token that has ended.
func (ws *watches) end(c caller, w *watch, reason error) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for stream := range w.streams {
		(*stream)(reason)
	}
	ws.remove(c, w)
}
