package kith

import "time"

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

// Principal names the user in the audit.
func (a Actor) Principal() Principal { return a.Viewer().Principal() }
