package auth

import (
	"cmp"
	"context"
	"time"

	"kith"
)

// DefaultTTL is the default lifetime of a token.
const DefaultTTL = 24 * time.Hour

// fixedLifetime is the lifetime of a published token.
const fixedLifetime = 100 * 365 * 24 * time.Hour

// Config configures a [Service]; every zero value takes its default.
type Config struct {
	// TTL is the lifetime of an issued token; the default is [DefaultTTL].
	TTL time.Duration
	// Now is the clock; the default is time.Now.
	Now func() time.Time
}

// Service issues, checks and revokes the secrets of one dataset. It is safe for concurrent use.
type Service struct {
	AppList

	store Store
	ttl   time.Duration
	now   func() time.Time
	cache *grantCache
}

// New returns the service over a store.
func New(store Store, cfg Config) *Service {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	ttl := cmp.Or(cfg.TTL, DefaultTTL)
	return &Service{AppList: store, store: store, ttl: ttl, now: cfg.Now, cache: newGrantCache(cfg.Now)}
}

// On returns the service over another store of the same dataset, such as one in a transaction. Both share what they
// remember of tokens.
func (s *Service) On(store Store) *Service {
	on := *s
	on.AppList, on.store = store, store
	return &on
}

// CheckAppName checks the name of an app.
func CheckAppName(name string) error { return kith.CheckName(name, "an app", "INVALID_APP_NAME") }

// CheckKeyName checks the name of a key.
func CheckKeyName(name string) error { return kith.CheckName(name, "a key", "INVALID_KEY_NAME") }

// Issued is a new token; it cannot be read again.
type Issued struct {
	Token   string
	Expires time.Time
	TTL     time.Duration
	Scopes  kith.Scopes
}

// Issue makes a token with all user scopes for a user of an app, on behalf of the operator. It creates the user or
// updates their e-mail address. A bad identity is Invalid, with every problem listed; a disabled user is Forbidden.
func (s *Service) Issue(ctx context.Context, app App, id Identity) (Issued, error) {
	return s.issue(ctx, kith.OperatorPrincipal(), app, id, TokenRecord{Scopes: kith.UserScopes})
}

// IssueBy is [Service.Issue] on behalf of a key. The token has the requested scopes, all of which the key must have; 0
// requests all user scopes of the key.
func (s *Service) IssueBy(ctx context.Context, key Key, id Identity, scopes kith.Scopes) (Issued, error) {
	allowed := key.Scopes & kith.UserScopes
	scopes = cmp.Or(scopes, allowed)
	if !allowed.Has(scopes) {
		return Issued{}, kith.InvalidFields([]kith.FieldError{{
			Field: "scopes", Code: "SCOPE_NOT_ALLOWED",
			Message: "must be among the scopes of the secret key: " + allowed.String(),
		}})
	}
	return s.issue(ctx, key.Principal(), key.App, id, TokenRecord{Scopes: scopes, Key: key.ID})
}

func (s *Service) issue(
	ctx context.Context, by kith.Principal, app App, id Identity, token TokenRecord,
) (Issued, error) {
	if err := kith.InvalidFields(id.Check()); err != nil {
		return Issued{}, err
	}
	id.Email = kith.NormalEmail(id.Email)
	now := s.now().UTC().Truncate(time.Millisecond)
	out := Issued{Token: newSecret(tokenPrefix), Expires: now.Add(s.ttl), TTL: s.ttl, Scopes: token.Scopes}
	token.Hash, token.Created, token.Expires = HashOf(out.Token), now, out.Expires
	// Cached grants have the old address.
	if err := s.store.SaveToken(ctx, by, app.ID, id, token, s.cache.dropUser); err != nil {
		return Issued{}, err
	}
	return out, nil
}

// Fixed is the app, user and secrets that [Service.EnsureFixed] creates.
type Fixed struct {
	App   string
	Key   string
	User  Identity
	Token string
}

// EnsureFixed creates, unless they exist, an app with a published key and a user with a published token. The token
// lasts for about a century, and callers cannot revoke it. It is idempotent: call it at every start.
func (s *Service) EnsureFixed(ctx context.Context, f Fixed) error {
	now := s.now().UTC().Truncate(time.Millisecond)
	key, err := s.store.UseKey(ctx, HashOf(f.Key), now)
	app := key.App
	if kith.KindOf(err) == kith.NotFound {
		app, err = s.store.CreateApp(ctx, kith.OperatorPrincipal(), f.App,
			KeyRecord{Hash: HashOf(f.Key), Name: firstKey, Scopes: kith.DefaultScopes, Created: now})
	}
	if err != nil {
		return err
	}
	return s.store.SaveToken(ctx, kith.OperatorPrincipal(), app.ID, f.User, TokenRecord{
		Hash: HashOf(f.Token), Created: now, Expires: now.Add(fixedLifetime), Scopes: kith.UserScopes, Fixed: true,
	}, s.cache.dropUser)
}

// DropUsers deletes every user of the dataset with their tokens; apps and keys stay. Call it before serving the
// dataset: verified tokens may pass for up to [cacheTTL].
func (s *Service) DropUsers(ctx context.Context) error { return s.store.DropUsers(ctx) }
