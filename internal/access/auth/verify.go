package auth

import (
	"context"
	"fmt"

	"kith"
)

// Verify returns the user that a token or session authenticates. An unknown, revoked or expired token is Unauthorized;
// a token is expired from the instant of TokenExpires. One revoked by another process may pass for up to [cacheTTL].
func (s *Service) Verify(ctx context.Context, token string) (kith.Actor, error) {
	if !plausible(token) {
		return kith.Actor{}, errToken(token)
	}
	grant, err := s.grant(ctx, token)
	if err != nil {
		return kith.Actor{}, err
	}
	if !s.now().Before(grant.Actor.TokenExpires) {
		if IsSession(token) {
			return kith.Actor{}, errToken(token)
		}
		return kith.Actor{}, kith.Errorf(kith.Unauthorized, "TOKEN_EXPIRED",
			"the bearer token has expired; ask the app's server for a new one")
	}
	return grant.Actor, nil
}

// Revoke ends a token, or with all every token of its user. Revoking a published token is Forbidden.
func (s *Service) Revoke(ctx context.Context, token string, all bool) error {
	hash := HashOf(token)
	grant, err := s.grant(ctx, token)
	if err != nil {
		return err
	}
	if grant.Fixed {
		return kith.Errorf(kith.Forbidden, "TOKEN_FIXED",
			"the published demo token cannot be revoked; ask for a token of your own")
	}
	if all {
		return s.store.DeleteTokens(ctx, grant.Actor.Principal(), grant.Actor.UserID,
			func() { s.cache.dropUser(grant.Actor.UserID) })
	}
	return s.store.DeleteToken(ctx, grant.Actor.Principal(), hash, func() { s.cache.drop(hash) })
}

// grant returns the grant of a token, from the cache if fresh. Concurrent requests share a look-up: otherwise a slow
// database would get one for each request, and become slower.
func (s *Service) grant(ctx context.Context, token string) (Grant, error) {
	hash := HashOf(token)
	g, mark, ok := s.cache.get(hash)
	if ok {
		return g, nil
	}
	// A look-up that began before a removal is not shared after it.
	read, err, _ := s.cache.lookups.Do(fmt.Sprintf("%x %d", hash, mark), func() (any, error) {
		return s.store.Grant(context.WithoutCancel(ctx), hash)
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		g, _ = read.(Grant) // it is nothing else
		s.cache.put(hash, g, mark)
		return g, nil
	}
	if kith.KindOf(err) == kith.NotFound {
		return Grant{}, errToken(token)
	}
	return Grant{}, err
}

// errToken returns the error for an invalid token or session.
func errToken(token string) error {
	if IsSession(token) {
		return kith.Errorf(kith.Unauthorized, "SESSION_ENDED",
			"the session has ended; sign in again with a new link (kith login-link)")
	}
	return kith.Errorf(kith.Unauthorized, "TOKEN_INVALID",
		"the bearer token is unknown or was revoked; send one issued by POST /v2/auth/tokens as Authorization: Bearer "+
			"<token>")
}

func errKey() error {
	return kith.Errorf(kith.Unauthorized, "SECRET_KEY_INVALID",
		"the secret key is unknown; send the key of your app in the header secret-key")
}
