package auth

import (
	"context"
	"time"

	"kith"
)

// App is one customer of the directory: it owns secret keys and users.
type App struct {
	ID   int64
	Name string
}

// User is a user with the name of the app that it is of.
type User struct {
	kith.Actor
	App string
}

// Grant is what a token stands for.
type Grant struct {
	// Actor is the user, with the end of the token in TokenExpires.
	Actor kith.Actor
	// Fixed is true for a published token, which callers cannot revoke.
	Fixed bool
}

// TokenRecord is a token as it is stored.
type TokenRecord struct {
	Hash    Hash
	Created time.Time
	Expires time.Time
	// Fixed is true for a published token.
	Fixed bool
}

// Store keeps apps, their users, and the secrets of both. What is not there is a
// *kith.Error of kind NotFound.
type Store interface {
	Apps
	Tokens
}

// Apps keeps apps and their secret keys.
type Apps interface {
	// CreateApp stores a new app with one key. A taken name is a *kith.Error
	// of kind Conflict.
	CreateApp(ctx context.Context, name string, key Hash) (App, error)
	AppByKey(ctx context.Context, key Hash) (App, error)
	AppByName(ctx context.Context, name string) (App, error)
}

// Tokens keeps users and their tokens.
type Tokens interface {
	// SaveToken creates the user or updates its e-mail address, and stores the
	// token for it, replacing a token of the same hash, all or nothing. It returns
	// the number of a user whose address is another now, else 0.
	SaveToken(ctx context.Context, app int64, id Identity, token TokenRecord) (changed int64, err error)
	// Grant returns what a token stands for, also a while after it expired.
	Grant(ctx context.Context, token Hash) (Grant, error)
	// DeleteToken ends one token; one that is not there is no error.
	DeleteToken(ctx context.Context, token Hash) error
	// DeleteTokens ends every token of a user that is not fixed.
	DeleteTokens(ctx context.Context, user int64) error
	// DropUsers deletes every user with all that is theirs.
	DropUsers(ctx context.Context) error
}
