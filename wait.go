package kith

import "context"

type waitKey struct{}

// WithWait returns a context in which [Wait] runs each wait within around, which may let others work meanwhile.
func WithWait(ctx context.Context, around func(ctx context.Context, wait func() error) error) context.Context {
	return context.WithValue(ctx, waitKey{}, around)
}

// Wait runs a function that waits for others, such as the data source. Its error is that of the function, or the reason
// why the work must not go on. Call it from one goroutine at a time, outside of transactions.
func Wait(ctx context.Context, wait func() error) error {
	if around, ok := ctx.Value(waitKey{}).(func(context.Context, func() error) error); ok {
		return around(ctx, wait)
	}
	return wait()
}
