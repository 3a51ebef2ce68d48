package index

import (
	"context"
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
