package kith

import "context"

// Principal is who is at work, for the audit.
type Principal struct {
	// Name is such as "operator", "app acme, key ci" or "user u1".
	Name string
	// App is the number of the app; 0 for the operator.
	App int64
}

type principalKey struct{}

// WithPrincipal returns a context that carries who is at work, where that is no user:
// see [WithActor].
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalFrom returns who is at work: who [WithPrincipal] names, else the user that
// signed in, else the operator.
func PrincipalFrom(ctx context.Context) Principal {
	if p, ok := ctx.Value(principalKey{}).(Principal); ok {
		return p
	}
	if a, ok := ActorFrom(ctx); ok {
		return Principal{Name: "user " + a.ExternalID, App: a.AppID}
	}
	return Principal{Name: "operator"}
}
