package kith

import (
	"context"
	"time"
)

// Actor is the user who makes a request: a user of an app, identified by a token or session.
type Actor struct {
	AppID      int64
	UserID     int64
	ExternalID string
	Email      string
	Name       string
	CreatedAt  time.Time
	// Scopes are those of the token of this request.
	Scopes Scopes
	// TokenID is the number of the token of this request, and TokenExpires when it ends.
	TokenID      int64
	TokenExpires time.Time
	// Demo is true for callers of the demo dataset.
	Demo bool
}

type actorKey struct{}

// WithActor returns a context that carries the caller.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorFrom returns the caller of ctx; ok is false if nobody signed in.
func ActorFrom(ctx context.Context) (a Actor, ok bool) {
	a, ok = ctx.Value(actorKey{}).(Actor)
	return a, ok
}
