package search

import (
	"context"
	"errors"
	"time"
)

// errBudget is the cause with which the context of a search over its time budget is canceled.
var errBudget = errors.New("there was no answer, or not all of it, within its time")

// budget cancels a context once the engine has used up its time. Paused time does not count. It is not safe for
// concurrent use.
type budget struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
	left   time.Duration
	since  time.Time
}

func newBudget(parent context.Context, d time.Duration) (context.Context, *budget) {
	ctx, cancel := context.WithCancelCause(parent)
	b := &budget{cancel: cancel, left: d, since: time.Now()}
	b.timer = time.AfterFunc(d, func() { cancel(errBudget) })
	return ctx, b
}

func (b *budget) pause() {
	if b.timer.Stop() {
		b.left -= time.Since(b.since)
	}
}

func (b *budget) resume() {
	b.since = time.Now()
	b.timer.Reset(max(b.left, 0))
}

// stop cancels the context for good.
func (b *budget) stop() {
	b.timer.Stop()
	b.cancel(context.Canceled)
}

// allowance is the engine time that a search may still use.
type allowance struct{ rest time.Duration }

// within runs f on the allowance, and takes off it the time used.
func (a *allowance) within(ctx context.Context, f func(context.Context) error) error {
	began, rest := time.Now(), a.rest
	ctx, b := newBudget(ctx, rest)
	defer func() { b.stop(); a.rest = rest - time.Since(began) }() // f may use within itself
	err := f(ctx)
	if errors.Is(context.Cause(ctx), errBudget) && err != nil {
		return overBudget(err)
	}
	return err
}
