package auth

import (
	"context"
	"time"

	"kith"
)

// App is one customer of the dataset: it owns secret keys and users.
type App struct {
	ID   int64
	Name string
}

// AppInfo describes an app to the operator.
type AppInfo struct {
	App
	Keys, Users int
	Created     time.Time
}

// User is a user with the name of their app.
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
	// Created, Expires and LastUsed are in UTC. Expires is zero for a key that does not expire, LastUsed for one never
	// used.
	Created, Expires, LastUsed time.Time
}

// Principal names the key in the audit.
func (k Key) Principal() kith.Principal {
	return kith.Principal{Name: "app " + k.App.Name + ", key " + k.Name, App: k.App.ID}
}

// Grant is the user that a token authenticates.
type Grant struct {
	// Actor is the user, with the token's expiry in TokenExpires.
	Actor kith.Actor
	// Fixed is true for a published token, which callers cannot revoke.
	Fixed bool
}

// KeyRecord is the stored form of a key.
type KeyRecord struct {
	Hash    Hash
	Name    string
	Scopes  kith.Scopes
	Created time.Time
	// Expires is zero for a key that does not expire.
	Expires time.Time
}

// TokenRecord is the stored form of a token.
type TokenRecord struct {
	Hash    Hash
	Created time.Time
	Expires time.Time
	Scopes  kith.Scopes
	// Key is the id of the key that issued it; 0 if the operator did.
	Key int64
	// Fixed is true for a published token.
	Fixed bool
}

// UserInfo describes a user to the operator.
type UserInfo struct {
	ID         int64
	App        string
	ExternalID string
	Email      string
	Created    time.Time
	// Disabled is when the user was disabled; zero if enabled.
	Disabled time.Time
	// Tokens is the number of their valid tokens.
	Tokens int
}

// TokenInfo describes a valid token to the operator.
type TokenInfo struct {
	ID               int64
	App, User        string
	Created, Expires time.Time
	Scopes           kith.Scopes
	// Key is the name of the key that issued it; empty if the operator did.
	Key string
	// Session is true for a browser session, Fixed for a published token.
	Session, Fixed bool
}

// Store stores apps, their users, and the secrets of both. by is the author of a change. Anything missing is a
// *kith.Error of kind NotFound.
type Store interface {
	Apps
	Keys
	Tokens
	Sessions
	Users
}

// Apps stores apps.
type Apps interface {
	AppList
	// CreateApp stores a new app with one key. A taken name is a *kith.Error of kind Conflict.
	CreateApp(ctx context.Context, by kith.Principal, name string, key KeyRecord) (App, error)
	// DeleteApp deletes an app with its keys, its users and all their data.
	DeleteApp(ctx context.Context, by kith.Principal, app int64) error
}

// AppList finds apps.
type AppList interface {
	AppByName(ctx context.Context, name string) (App, error)
	AppByID(ctx context.Context, id int64) (App, error)
	// Apps lists all apps by name.
	Apps(ctx context.Context) ([]App, error)
	// AppPage lists up to n apps with ids greater than above, by id, with the numbers of their keys and users.
	AppPage(ctx context.Context, above int64, n int) ([]AppInfo, error)
}

// Keys stores the secret keys of apps.
type Keys interface {
	// AddKey stores a further key of an app and returns its id. A key name that the app already uses is a Conflict.
	AddKey(ctx context.Context, by kith.Principal, app int64, key KeyRecord) (int64, error)
	// UseKey returns the key with a hash, even if expired, and records its use.
	UseKey(ctx context.Context, key Hash, now time.Time) (Key, error)
	// KeysOf lists the keys of an app, oldest first.
	KeysOf(ctx context.Context, app int64) ([]Key, error)
	// RenewKey stores a key with the name and scopes of an old one and returns its id. The old key is renamed and
	// expires at oldEnds, unless it expires before.
	RenewKey(ctx context.Context, by kith.Principal, app, old int64, key KeyRecord, oldEnds time.Time) (int64, error)
	// DeleteKey deletes a key and the tokens that it issued.
	DeleteKey(ctx context.Context, by kith.Principal, app, key int64) error
}

// Tokens stores tokens.
type Tokens interface {
	// SaveToken creates the user or updates their e-mail address, and stores the token, replacing one with the same
	// hash, all in one transaction. It calls moved after the commit if the address changed. A disabled user is
	// Forbidden.
	SaveToken(
		ctx context.Context, by kith.Principal, app int64, id Identity, token TokenRecord, moved func(user int64),
	) error
	// AddToken stores a token for an existing user and returns its id. A disabled user is Forbidden.
	AddToken(ctx context.Context, by kith.Principal, user int64, token TokenRecord) (int64, error)
	// Grant returns the grant of a token, even for a while after it expired.
	Grant(ctx context.Context, token Hash) (Grant, error)
	// DeleteToken deletes one token; a missing one is no error. It calls ended after the commit.
	DeleteToken(ctx context.Context, by kith.Principal, token Hash, ended func()) error
	// DeleteTokens deletes every token of a user that is not fixed, in the same way.
	DeleteTokens(ctx context.Context, by kith.Principal, user int64, ended func()) error
	// TokensOf lists the valid tokens of an app, or of one of its users if user is not empty.
	TokensOf(ctx context.Context, app int64, user string, now time.Time) ([]TokenInfo, error)
	// EndToken deletes a token by id.
	EndToken(ctx context.Context, by kith.Principal, id int64) error
}

// Sessions stores browser sessions, which are tokens too, and the links that begin them.
type Sessions interface {
	// SaveLink stores a link for a user. It creates an unknown user if the identity has an e-mail address, else returns
	// NotFound. A disabled user is Forbidden.
	SaveLink(ctx context.Context, by kith.Principal, app int64, id Identity, link LinkRecord) error
	// UseLink deletes a link and stores a session for its user in one transaction. A link that expires before the
	// session begins is NotFound; a disabled user is Forbidden.
	UseLink(ctx context.Context, link Hash, session SessionRecord) error
	// SessionsOf lists the valid sessions of a user, the newest first.
	SessionsOf(ctx context.Context, user int64, now time.Time) ([]Session, error)
	// EndOwn deletes a session of a user or, if session is false, a token that is not a session. It returns 1, or 0 if
	// the user has none with this id.
	EndOwn(ctx context.Context, a kith.Actor, id int64, session bool) (int, error)
	// EndSessions deletes all sessions and links of a user, and returns the number of sessions.
	EndSessions(ctx context.Context, a kith.Actor) (int, error)
}

// Users stores users.
type Users interface {
	// UsersOf lists the users of an app by external id.
	UsersOf(ctx context.Context, app int64, now time.Time) ([]UserInfo, error)
	// UserPage lists up to n users of an app with ids greater than above, by id.
	UserPage(ctx context.Context, app, above int64, n int, now time.Time) ([]UserInfo, error)
	// SetDisabled disables a user of an app and ends their tokens, jobs and waiting e-mails, or enables the user again.
	SetDisabled(ctx context.Context, by kith.Principal, app int64, user string, disabled bool, now time.Time) error
	// DropUsers deletes every user with all their data.
	DropUsers(ctx context.Context) error
}
