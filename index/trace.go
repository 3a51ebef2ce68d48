package index

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// trace holds what drivers sent under one context, ordered by start.
type trace[T any] struct {
	mu   sync.Mutex
	sent []T
}

type traceKey[T any] struct{}

// TraceRequest records a request that a driver is about to send, if ctx comes from [Trace].
func TraceRequest[T any](ctx context.Context, sent T) {
	t, tracing := ctx.Value(traceKey[T]{}).(*trace[T])
	if !tracing {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent = append(t.sent, sent)
}

// Trace returns a context under which drivers record their requests, and a function that returns those recorded so
// far. T is the type they pass to [TraceRequest].
func Trace[T any](ctx context.Context) (tracing context.Context, noted func() []T) {
	t := &trace[T]{}
	return context.WithValue(ctx, traceKey[T]{}, t), func() []T {
		t.mu.Lock()
		defer t.mu.Unlock()
		return slices.Clone(t.sent)
	}
}

// TraceReplay is [Trace] with replay: noted describes each request in words and returns a function that sends them
// again, one after the other.
func TraceReplay[T any](ctx context.Context, words func(T) string,
	send func(context.Context, T) error,
) (tracing context.Context, noted func() (requests []string, replay func(context.Context) error)) {
	tracing, sent := Trace[T](ctx)
	return tracing, func() ([]string, func(context.Context) error) {
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
