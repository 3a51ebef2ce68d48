package kith

import "context"

type commitKey struct{}

// commit is what waits for a transaction.
type commit struct{ after []func() }

// WithCommit returns a context for the work of one transaction, and what is to be
// called once the transaction is committed: it runs what [OnCommit] was given.
func WithCommit(ctx context.Context) (context.Context, func()) {
	c := &commit{}
	return context.WithValue(ctx, commitKey{}, c), func() {
		for _, f := range c.after {
			f()
		}
	}
}

// OnCommit runs f once the transaction of the context is committed, never where it
// is rolled back, and at once where the context has none. It is for what a process
// remembers of the database. A transaction has one goroutine: calls with one context
// must not overlap.
func OnCommit(ctx context.Context, f func()) {
	if c, ok := ctx.Value(commitKey{}).(*commit); ok {
		c.after = append(c.after, f)
		return
	}
	f()
}
