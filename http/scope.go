package http

import (
	"context"
	"net/http"
	"strings"

	"kith"
)

// scoped rejects requests whose credential lacks the scopes. It must follow [Server.requireUser] or
// [Server.requireKey].
func (s *Server) scoped(scopes kith.Scopes) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return s.handleStream(func(w http.ResponseWriter, r *http.Request) error {
			if err := requireScopes(r.Context(), scopes); err != nil {
				return err
			}
			next.ServeHTTP(w, r)
			return nil
		})
	}
}

// requireScopes returns a Forbidden error unless the request's credential has the scopes. It is for
// operations that need more scopes for some bodies; the router lists all other scopes.
func requireScopes(ctx context.Context, scopes kith.Scopes) error {
	have := scopesFrom(ctx)
	if have.Has(scopes) {
		return nil
	}
	missing := strings.Join((scopes &^ have).Names(), " and ")
	return kith.Errorf(kith.Forbidden, "INSUFFICIENT_SCOPE",
		"the credential lacks the scope %s; use one with this scope", missing)
}

// requireGrant returns a Forbidden error if the request's secret key lacks scopes that it would give to another
// credential. An operator's session may give any: only the command line
// and keys with all scopes make such sessions.
func requireGrant(ctx context.Context, scopes kith.Scopes) error {
	k := keyCallerFrom(ctx)
	if k.dataset == nil || k.key.Scopes.Has(scopes) {
		return nil
	}
	return kith.Errorf(kith.Forbidden, "INSUFFICIENT_SCOPE",
		"a secret key can grant only its own scopes, and this one lacks %s; grant fewer, or use `kith app`",
		strings.Join((scopes&^k.key.Scopes).Names(), " and "))
}

func scopesFrom(ctx context.Context) kith.Scopes {
	if k, ok := ctx.Value(keyCallerKey{}).(keyCaller); ok {
		return k.key.Scopes
	}
	return callerFrom(ctx).actor.Scopes
}
