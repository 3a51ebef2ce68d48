package http

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"kith"
)

// operator serves an operation to the operator: with a secret key or session that has the scope operator.
func (s routes) operator(r chi.Router, method, pattern string, h handler) {
	r.With(s.requireKeyOrUser, s.scoped(kith.ScopeOperator)).Method(method, pattern, s.handle(h))
}

// requireKeyOrUser accepts requests with a secret key, and those of users.
func (s routes) requireKeyOrUser(next http.Handler) http.Handler {
	byKey, byUser := s.requireKey(next), s.requireUser(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header.Values("secret-key")) > 0 {
			byKey.ServeHTTP(w, r)
			return
		}
		byUser.ServeHTTP(w, r)
	})
}

// ownerOf returns the dataset of a request, and the owner of its idempotency keys: the user with any token, or the app
// with any of its secret keys.
func ownerOf(r *http.Request) (d *Dataset, owner string) {
	if k := keyCallerFrom(r.Context()); k.dataset != nil {
		return k.dataset, appOwner(k.key.App.ID)
	}
	c := callerFrom(r.Context())
	return c.dataset, c.owner()
}

// operatorPrincipal names the sender of an operator's request in the audit.
func operatorPrincipal(r *http.Request) kith.Principal {
	if k := keyCallerFrom(r.Context()); k.dataset != nil {
		return k.key.Principal()
	}
	return callerFrom(r.Context()).by()
}

// operatorPage answers GET /admin: with the page if the operator is signed in, else with 404.
func (s *Server) operatorPage(w http.ResponseWriter, r *http.Request) error {
	if session, err := sessionSecret(r); err != nil || session == "" {
		return s.notFound(w, r)
	}
	c, err := s.signIn(w, r)
	switch {
	case kith.KindOf(err) == kith.Unauthorized || err == nil && !c.actor.Scopes.Has(kith.ScopeOperator):
		return s.notFound(w, r)
	case err != nil:
		return err
	}
	s.pages.app.ServeHTTP(w, r)
	return nil
}
