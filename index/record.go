package index

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// tape holds what drivers sent under one context, in the order in which it began.
type tape[T any] struct {
	mu   sync.Mutex
	sent []T
}

type tapeKey[T any] struct{}

// Note notes what a driver is about to send, where ctx is one of [Record].
func Note[T any](ctx context.Context, sent T) {
	t, recording := ctx.Value(tapeKey[T]{}).(*tape[T])
	if !recording {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent = append(t.sent, sent)
}

// Record returns a context under which drivers note what they send, and a
// function that tells what was noted so far. T is what they hand to [Note].
func Record[T any](ctx context.Context) (recording context.Context, noted func() []T) {
	t := &tape[T]{}
	return context.WithValue(ctx, tapeKey[T]{}, t), func() []T {
		t.mu.Lock()
		defer t.mu.Unlock()
		return slices.Clone(t.sent)
	}
}

// RecordReplay is [Record] for sending again: noted tells what was sent, in
// words, and replay sends it again, one after the other.
func RecordReplay[T any](ctx context.Context, words func(T) string, send func(context.Context, T) error) (recording context.Context, noted func() (requests []string, replay func(context.Context) error)) {
	recording, sent := Record[T](ctx)
	return recording, func() ([]string, func(context.Context) error) {
		all := sent()
		requests := make([]string, len(all))
		for i, one := range all {
			requests[i] = words(one)
		}
		return requests, func(ctx context.Context) error {
			for _, one := range all {
				if err := send(ctx, one); err != nil {
					return fmt.Errorf("replay: %w", err)
				}
			}
			return nil
		}
	}
}
