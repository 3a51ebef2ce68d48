package auth

import (
	"context"
	"time"

	"kith"
)

// firstKey is the name of an app's first key.
const firstKey = "first"

// KeySpec describes a new key.
type KeySpec struct {
	// Name is unique among the keys of an app; see [CheckKeyName].
	Name   string
	Scopes kith.Scopes
	// Lifetime is 0 for a key that does not expire.
	Lifetime time.Duration
}

// CreateApp stores a new app, on behalf of the operator, and returns its secret key, which has [kith.DefaultScopes] and
// cannot be read again. A taken name is a Conflict.
func (s *Service) CreateApp(ctx context.Context, name string) (App, string, error) {
	return s.CreateAppWith(ctx, kith.OperatorPrincipal(), name, KeySpec{Name: firstKey, Scopes: kith.DefaultScopes})
}

// CreateAppWith is [Service.CreateApp] with a choice of key.
func (s *Service) CreateAppWith(
	ctx context.Context, by kith.Principal, name string, spec KeySpec,
) (App, string, error) {
	if err := CheckAppName(name); err != nil {
		return App{}, "", err
	}
	secret, record, err := s.newKey(spec)
	if err != nil {
		return App{}, "", err
	}
	app, err := s.store.CreateApp(ctx, by, name, record)
	return app, secret, err
}

// AddKey adds a key to an app and returns its id and its secret, which cannot be read again. A key name that the app
// already uses is a Conflict.
func (s *Service) AddKey(ctx context.Context, by kith.Principal, app App, spec KeySpec) (int64, string, error) {
	secret, record, err := s.newKey(spec)
	if err != nil {
		return 0, "", err
	}
	id, err := s.store.AddKey(ctx, by, app.ID, record)
	return id, secret, err
}

// Rotate makes a new key with the name and scopes of an old one, which stays valid for the grace period at most. It
// returns the new key's id and secret.
func (s *Service) Rotate(ctx context.Context, by kith.Principal, app App, key int64, grace time.Duration,
) (int64, string, error) {
	secret, record, err := s.newKey(KeySpec{Name: firstKey})
	if err != nil {
		return 0, "", err
	}
	id, err := s.store.RenewKey(ctx, by, app.ID, key, record, record.Created.Add(grace))
	return id, secret, err
}

func (s *Service) newKey(spec KeySpec) (string, KeyRecord, error) {
	if err := CheckKeyName(spec.Name); err != nil {
		return "", KeyRecord{}, err
	}
	secret, now := newSecret(keyPrefix), s.now().UTC().Truncate(time.Millisecond)
	record := KeyRecord{Hash: HashOf(secret), Name: spec.Name, Scopes: spec.Scopes, Created: now}
	if spec.Lifetime > 0 {
		record.Expires = now.Add(spec.Lifetime)
	}
	return secret, record, nil
}

// Key returns the key of a secret and records its use; an unknown or expired secret is Unauthorized.
func (s *Service) Key(ctx context.Context, secret string) (Key, error) {
	if !plausible(secret) {
		return Key{}, errKey()
	}
	now := s.now()
	key, err := s.store.UseKey(ctx, HashOf(secret), now)
	switch {
	case kith.KindOf(err) == kith.NotFound:
		return Key{}, errKey()
	case err != nil:
		return Key{}, err
	case !key.Expires.IsZero() && !now.Before(key.Expires):
		return Key{}, kith.Errorf(kith.Unauthorized, "SECRET_KEY_EXPIRED",
			"the secret key has expired; ask the operator for a new one")
	}
	return key, nil
}

// Keys lists the keys of an app, oldest first.
func (s *Service) Keys(ctx context.Context, app App) ([]Key, error) {
	return s.store.KeysOf(ctx, app.ID)
}

// RevokeKey deletes a key with the tokens that it issued; NotFound if the app has no such key. Tokens may pass for up
// to [cacheTTL].
func (s *Service) RevokeKey(ctx context.Context, by kith.Principal, app App, key int64) error {
	return s.store.DeleteKey(ctx, by, app.ID, key)
}

// DeleteApp deletes an app with its keys, its users and all their data.
func (s *Service) DeleteApp(ctx context.Context, by kith.Principal, app App) error {
	return s.store.DeleteApp(ctx, by, app.ID)
}
