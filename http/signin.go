package http

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"kith"
	"kith/internal/access/auth"
)

// caller is the sender of a request, with its dataset.
type caller struct {
	dataset *Dataset
	actor   kith.Actor
	token   string
	// turn is the request's right to work.
	turn *turn
}

type callerKey struct{}

// callerFrom returns the caller, for routes after [Server.requireUser].
func callerFrom(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// requireUser rejects requests without a valid bearer token or session.
func (s *Server) requireUser(next http.Handler) http.Handler {
	return s.handleStream(func(w http.ResponseWriter, r *http.Request) error {
		c, err := s.signIn(w, r)
		if err != nil {
			return err
		}
		c.turn = &turn{pools: s.pools, owner: poolUser{c.dataset, c.actor.UserID}}
		if c.dataset.Operator {
			c.turn.work = nil
		}
		if err := c.turn.check(); err != nil {
			return err
		}
		defer c.turn.end()
		ctx := kith.WithWait(context.WithValue(r.Context(), callerKey{}, c), c.turn.wait)
		next.ServeHTTP(w, r.WithContext(ctx))
		return nil
	})
}

// viewer is on whose behalf the request reads and changes records.
func (c caller) viewer() kith.Viewer {
	if c.dataset.Operator {
		return kith.Operator()
	}
	return c.actor.Viewer()
}

// by is the author of the changes that the request makes, for the audit.
func (c caller) by() kith.Principal { return c.viewer().Principal() }

// signIn finds the dataset and the user of the token or session, and takes the request from the user's bucket.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) (caller, error) {
	token, err := s.readCredential(r)
	if err != nil {
		return caller{}, s.countRefusal(w, r, err)
	}
	c := caller{token: token}
	c.dataset, err = s.find(func(d *Dataset) (err error) {
		c.actor, err = d.Auth.Verify(r.Context(), token)
		c.actor.Demo = d.Demo
		return err
	})
	if kith.KindOf(err) == kith.Unauthorized {
		return caller{}, s.countRefusal(w, r, err)
	}
	if err != nil {
		return caller{}, err
	}
	return c, s.admit(w, r, s.byUser, "user", auth.HashOf(fmt.Sprintf("user %s %d", c.dataset.Name, c.actor.UserID)))
}

// keyCaller is an app that sent a request with one of its secret keys, with its dataset.
type keyCaller struct {
	dataset *Dataset
	key     auth.Key
}

type keyCallerKey struct{}

// keyCallerFrom returns the app, for routes after [Server.requireKey].
func keyCallerFrom(ctx context.Context) keyCaller {
	c, _ := ctx.Value(keyCallerKey{}).(keyCaller)
	return c
}

// requireKey rejects requests without a valid secret key, and takes the others from the app's bucket.
func (s *Server) requireKey(next http.Handler) http.Handler {
	return s.handleStream(func(w http.ResponseWriter, r *http.Request) error {
		var c keyCaller
		secret, err := secretKey(r.Header)
		if err != nil {
			return s.countRefusal(w, r, err)
		}
		c.dataset, err = s.find(func(d *Dataset) (err error) {
			c.key, err = d.Auth.Key(r.Context(), secret)
			return err
		})
		if kith.KindOf(err) == kith.Unauthorized {
			return s.countRefusal(w, r, err)
		}
		if err != nil {
			return err
		}
		if err := s.admit(w, r, s.byApp, "app",
			auth.HashOf(fmt.Sprintf("app %s %d", c.dataset.Name, c.key.App.ID))); err != nil {
			return err
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), keyCallerKey{}, c)))
		return nil
	})
}

// find returns the first dataset that knows a credential. If none does, it returns the most
// informative error: an unavailable dataset or an expired token rather than an unknown one.
func (s *Server) find(ask func(*Dataset) error) (*Dataset, error) {
	var worst error
	for i := range s.cfg.Datasets {
		d := &s.cfg.Datasets[i]
		err := ask(d)
		if err == nil {
			return d, nil
		}
		if worst == nil || severity(err) > severity(worst) {
			worst = err
		}
	}
	return nil, worst
}

func severity(err error) int {
	switch e := describe(err); {
	case e.Status != http.StatusUnauthorized:
		return 2
	case e.Code == "TOKEN_EXPIRED", e.Code == "SECRET_KEY_EXPIRED":
		return 1
	}
	return 0
}

// Error codes of requests without a credential.
const (
	codeTokenMissing = "TOKEN_MISSING"
	codeKeyMissing   = "SECRET_KEY_MISSING"
)

// bearerToken reads the header Authorization.
func bearerToken(h http.Header) (string, error) {
	values := h.Values("Authorization")
	if len(values) == 0 {
		return "", kith.Errorf(kith.Unauthorized, codeTokenMissing,
			"the header Authorization is missing; send Authorization: Bearer <token>")
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", errBearer()
	}
	return token, nil
}

func errBearer() error {
	return kith.Errorf(kith.Unauthorized, "TOKEN_MALFORMED",
		"the header Authorization cannot be read; send it once, as Authorization: Bearer <token>")
}

// secretKey reads the header secret-key.
func secretKey(h http.Header) (string, error) {
	values := h.Values("secret-key")
	if len(values) != 1 || values[0] == "" {
		return "", kith.Errorf(kith.Unauthorized, codeKeyMissing,
			"the header secret-key is missing or given twice; send the secret key of your app in it")
	}
	return values[0], nil
}
