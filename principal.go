package kith

import "context"

// Principal is the author of a change, for the audit.
type Principal struct {
	// Name is such as "operator", "app acme, key ci" or "user u1".
	Name string
	// App is the number of the app; 0 for the operator.
	App int64
}

type principalKey struct{}

// WithPrincipal returns a context with the author of changes.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalFrom returns the author of changes: that of [WithPrincipal], else the operator.
func PrincipalFrom(ctx context.Context) Principal {
	if p, ok := ctx.Value(principalKey{}).(Principal); ok {
		return p
	}
	return Principal{Name: "operator"}
}
