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

// AppInfo is an app as the operator sees it.
type AppInfo struct {
	App
	Keys, Users int
	Created     time.Time
}

// User is a user with the name of the app that it is of.
type User struct {
	kith.Actor
	App string
}

// Key is a secret key of an app, without the secret.
type Key struct {
	ID     int64
	App    App
	Name   string
	Scopes kith.Scopes
	// Created, Expires and LastUsed are in UTC. Expires is zero where the key has no
	// end, LastUsed where it was never used.
	Created, Expires, LastUsed time.Time
}

// Grant is what a token stands for.
type Grant struct {
	// Actor is the user, with the end of the token in TokenExpires.
	Actor kith.Actor
	// Fixed is true for a published token, which callers cannot revoke.
	Fixed bool
}

// KeyRecord is a key as it is stored.
type KeyRecord struct {
	Hash    Hash
	Name    string
	Scopes  kith.Scopes
	Created time.Time
	// Expires is zero for a key without an end.
	Expires time.Time
}

// TokenRecord is a token as it is stored.
type TokenRecord struct {
	Hash    Hash
	Created time.Time
	Expires time.Time
	Scopes  kith.Scopes
	// Key is the key that issued it; 0 where the operator did.
	Key int64
	// Fixed is true for a published token.
	Fixed bool
}

// UserInfo is a user as the operator sees them.
type UserInfo struct {
	ID         int64
	App        string
	ExternalID string
	Email      string
	Created    time.Time
	// Disabled is zero for a user who is not disabled.
	Disabled time.Time
	// Tokens is how many valid tokens they have.
	Tokens int
}

// TokenInfo is a valid token as the operator sees it.
type TokenInfo struct {
	ID               int64
	App, User        string
	Created, Expires time.Time
	Scopes           kith.Scopes
	// Key is the name of the key that issued it, empty where the operator did.
	Key string
	// Session is true for the session of a browser, Fixed for a published token.
	Session, Fixed bool
}

// Store keeps apps, their users, and the secrets of both. What is not there is a
// *kith.Error of kind NotFound.
type Store interface {
	Apps
	Keys
	Tokens
	Sessions
	Users
}

// Apps keeps apps.
type Apps interface {
	// CreateApp stores a new app with one key. A taken name is a *kith.Error
	// of kind Conflict.
	CreateApp(ctx context.Context, name string, key KeyRecord) (App, error)
	AppByName(ctx context.Context, name string) (App, error)
	// AppByID returns the app of a number.
	AppByID(ctx context.Context, id int64) (App, error)
	// Apps lists all, by name.
	Apps(ctx context.Context) ([]App, error)
	// AppPage lists up to n apps with numbers above one, by number, with their keys and users counted.
	AppPage(ctx context.Context, above int64, n int) ([]AppInfo, error)
	// DeleteApp deletes an app with its keys, its users and all that is theirs.
	DeleteApp(ctx context.Context, app int64) error
}

// Keys keeps the secret keys of apps.
type Keys interface {
	// AddKey stores a further key of an app. A name that a key of the app has is a
	// Conflict.
	AddKey(ctx context.Context, app int64, key KeyRecord) (int64, error)
	// UseKey returns the key of a hash, also an expired one, and notes that it was used.
	UseKey(ctx context.Context, key Hash, now time.Time) (Key, error)
	// KeysOf lists the keys of an app, oldest first.
	KeysOf(ctx context.Context, app int64) ([]Key, error)
	// RenewKey gives the place of an old key to a new one: with its name and scopes.
	// The old key, renamed, ends at a time unless it ends before.
	RenewKey(ctx context.Context, app, old int64, key KeyRecord, oldEnds time.Time) (int64, error)
	// DeleteKey ends a key and the tokens that it issued.
	DeleteKey(ctx context.Context, app, key int64) error
}

// Tokens keeps tokens.
type Tokens interface {
	// SaveToken creates the user or updates its e-mail address, and stores the
	// token for it, replacing a token of the same hash, all or nothing. It returns
	// the number of a user whose address is another now, else 0. A user who is
	// disabled is Forbidden.
	SaveToken(ctx context.Context, app int64, id Identity, token TokenRecord) (changed int64, err error)
	// AddToken stores a token for a user who is there, and returns its number. A user who is
	// disabled is Forbidden.
	AddToken(ctx context.Context, user int64, token TokenRecord) (int64, error)
	// Grant returns what a token stands for, also a while after it expired.
	Grant(ctx context.Context, token Hash) (Grant, error)
	// DeleteToken ends one token; one that is not there is no error.
	DeleteToken(ctx context.Context, token Hash) error
	// DeleteTokens ends every token of a user that is not fixed.
	DeleteTokens(ctx context.Context, user int64) error
	// TokensOf lists the valid tokens of an app, or of one user of it where user is
	// not empty.
	TokensOf(ctx context.Context, app int64, user string, now time.Time) ([]TokenInfo, error)
	// EndToken ends the token of a number.
	EndToken(ctx context.Context, id int64) error
}

// Sessions keeps the sessions of browsers, which are tokens too, and the links that
// begin them.
type Sessions interface {
	// SaveLink stores a link for a user. One who is new is created where the identity has
	// an e-mail address, else NotFound; one who is disabled is Forbidden.
	SaveLink(ctx context.Context, app int64, id Identity, link LinkRecord) error
	// UseLink ends a link and stores a session of its user, all or nothing. A link that
	// has ended by the time at which the session begins is NotFound, a user who is
	// disabled Forbidden.
	UseLink(ctx context.Context, link Hash, session SessionRecord) error
	// SessionsOf lists the valid sessions of a user, the newest first.
	SessionsOf(ctx context.Context, user int64, now time.Time) ([]Session, error)
	// EndOwn ends a session of a user, or a token that is none. It returns 0 where the
	// user has none of the number, else 1.
	EndOwn(ctx context.Context, user, id int64, session bool) (int, error)
	// EndSessions ends all sessions and links of a user, and returns how many sessions.
	EndSessions(ctx context.Context, user int64) (int, error)
}

// Users keeps users.
type Users interface {
	// UsersOf lists the users of an app, by their external id.
	UsersOf(ctx context.Context, app int64, now time.Time) ([]UserInfo, error)
	// UserPage lists up to n users of an app with numbers above one, by number.
	UserPage(ctx context.Context, app, above int64, n int, now time.Time) ([]UserInfo, error)
	// SetDisabled disables a user of an app, with the end of their tokens, jobs and
	// e-mails that wait, or enables them again.
	SetDisabled(ctx context.Context, app int64, user string, disabled bool, now time.Time) error
	// DropUsers deletes every user with all that is theirs.
	DropUsers(ctx context.Context) error
}
