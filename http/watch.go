package http

import (
	"context"
	"time"

	"kith"
)

// tokenChecked is the interval for checking the token of an open stream.
const tokenChecked = time.Second

// whileSignedIn returns a context that ends when the caller's token does, with the reason as its cause. The returned
// function ends it. Between checks a stream has a timer and no goroutine, and a check is cheap: see [auth.Service].
func whileSignedIn(ctx context.Context, c caller) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var check func()
	check = func() {
		if ctx.Err() != nil {
			return
		}
		if _, err := c.dataset.Auth.Verify(ctx, c.token); kith.KindOf(err) == kith.Unauthorized {
			cancel(err)
			return
		}
		time.AfterFunc(tokenChecked, check)
	}
	time.AfterFunc(tokenChecked, check)
	return ctx, func() { cancel(nil) }
}
