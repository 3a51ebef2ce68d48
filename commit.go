package kith

import "context"

type commitKey struct{}

// commit holds functions to run after a transaction.
type commit struct{ after []func() }

// WithCommit returns a context for one transaction, and the function to call after its commit,
// which runs the functions passed to [OnCommit].
func WithCommit(ctx context.Context) (context.Context, func()) {
	c := &commit{}
	return context.WithValue(ctx, commitKey{}, c), func() {
		for _, f := range c.after {
			f()
		}
	}
}

// OnCommit runs f after the commit of the context's transaction, never after a rollback, and at once without a
// transaction. Use it for memory that mirrors the database. Calls with one context must not overlap.
func OnCommit(ctx context.Context, f func()) {
	if c, ok := ctx.Value(commitKey{}).(*commit); ok {
		c.after = append(c.after, f)
		return
	}
	f()
}
