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

// WithPrincipal returns a context with an author who is not a user; for users see [WithActor].
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalFrom returns the author of changes: that of [WithPrincipal], else the signed-in user, else the operator.
func PrincipalFrom(ctx context.Context) Principal {
	if p, ok := ctx.Value(principalKey{}).(Principal); ok {
		return p
	}
	if a, ok := ActorFrom(ctx); ok {
		return Principal{Name: "user " + a.ExternalID, App: a.AppID}
	}
	return Principal{Name: "operator"}
}
