package http

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/access/publicid"
)

// credentials begins sessions and ends tokens.
type credentials struct{ *Server }

// Sessions is the part of [auth.Service] that the server needs for browsers.
type Sessions interface {
	SignIn(ctx context.Context, link, agent string) (auth.Credential, error)
	Sessions(ctx context.Context, a kith.Actor) ([]auth.Session, error)
	EndSession(ctx context.Context, a kith.Actor, id int64) error
	EndSessions(ctx context.Context, a kith.Actor) (int, error)
}

// The session cookie. Over TLS its name has the __Host- prefix: browsers then refuse the cookie if
// another host, or this one without TLS, sets it.
const (
	plainCookie  = "kith_session"
	secureCookie = "__Host-kith_session"
)

// A browser with the cookie demoCookie looks at the demo, if the server serves one: its requests are those of the
// published token, and its session is that of its own data. Pages set and delete the cookie, which is no credential.
const (
	demoCookie = "kith_dataset"
	demoValue  = "demo"
)

// looksAtDemo reports whether the browser has chosen the demo.
func looksAtDemo(r *http.Request) bool {
	chosen, err := r.Cookie(demoCookie)
	return err == nil && chosen.Value == demoValue
}

// chooseDemo makes the browser look at the demo, or at its own data.
func chooseDemo(w http.ResponseWriter, r *http.Request, demo bool) {
	c := &http.Cookie{
		Name: demoCookie, Value: demoValue, Path: "/", MaxAge: int(auth.SessionTTL / time.Second),
		SameSite: http.SameSiteStrictMode, Secure: overTLS(r),
	}
	switch {
	case demo:
	case looksAtDemo(r):
		c.MaxAge = -1
	default:
		return
	}
	http.SetCookie(w, c)
}

// overTLS reports whether the browser uses TLS, with this server or with a proxy before it. A
// client that lies about this only hides its own cookie.
func overTLS(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

func cookieName(r *http.Request) string {
	if overTLS(r) {
		return secureCookie
	}
	return plainCookie
}

// setSession sets the session cookie, or deletes it if secret is empty.
func setSession(w http.ResponseWriter, r *http.Request, secret string, lifetime time.Duration) {
	c := &http.Cookie{
		Name: cookieName(r), Value: secret, Path: "/", MaxAge: int(lifetime / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: overTLS(r),
	}
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// sessionSecret returns the secret of the session cookie, or "". It rejects two cookies of the same
// name: one may belong to somebody else.
func sessionSecret(r *http.Request) (string, error) {
	found := r.CookiesNamed(cookieName(r))
	switch {
	case len(found) == 0:
		return "", nil
	case len(found) > 1 || !auth.IsSession(found[0].Value):
		return "", kith.Errorf(kith.Unauthorized, "SESSION_MALFORMED",
			"the session cookie cannot be read; sign in again with a new link (kith login-link)")
	}
	return found[0].Value, nil
}

// readCredential returns the token of a request: from the header Authorization, else from the cookies. Browsers send
// those whichever page asks, so requests that change something must come from a page of this server.
func (s *Server) readCredential(r *http.Request) (string, error) {
	if len(r.Header.Values("Authorization")) == 0 {
		secret, err := s.browserCredential(r)
		if err == nil && secret != "" {
			err = s.sameOrigin(r)
		}
		if err != nil || secret != "" {
			return secret, err
		}
	}
	token, err := bearerToken(r.Header)
	if err == nil && auth.IsSession(token) {
		return "", errBearer()
	}
	return token, err
}

// browserCredential returns the published token if the browser looks at the demo, else the secret of its session or "".
func (s *Server) browserCredential(r *http.Request) (string, error) {
	if token := publishedToken(s.cfg.Datasets); token != "" && looksAtDemo(r) {
		return token, nil
	}
	return sessionSecret(r)
}

// sameOrigin rejects changes requested by a page of another origin.
func (s *Server) sameOrigin(r *http.Request) error {
	if s.origin.Check(r) != nil {
		return kith.Errorf(kith.Forbidden, "CROSS_ORIGIN_REQUEST",
			"the request comes from a page of another origin; only pages of this server may use a session: send a "+
				"token")
	}
	return nil
}

// beginSession answers POST /v2/auth/sessions. It always starts a new session and ends the previous
// one, so that nobody can plant a session whose secret they know.
func (s credentials) beginSession(w http.ResponseWriter, r *http.Request) error {
	if err := s.sameOrigin(r); err != nil {
		return s.countRefusal(w, r, err)
	}
	v, err := readAs(w, r, smallBody, asIs)
	if err != nil {
		return err
	}
	var in auth.Credential
	link := v.String("link")
	_, err = s.find(func(d *Dataset) (err error) {
		in, err = d.Auth.SignIn(r.Context(), link, r.UserAgent())
		return err
	})
	if kith.KindOf(err) == kith.Unauthorized {
		return s.countRefusal(w, r, err)
	}
	if err != nil {
		return err
	}
	s.endFormer(r)
	setSession(w, r, in.Secret, auth.SessionTTL)
	chooseDemo(w, r, auth.OpensDemo(link))
	respond(w, r, map[string]time.Time{"expires_at": in.Expires})
	return nil
}

// endFormer ends the browser's previous session. It need not be valid; if it cannot be ended, it expires.
func (s credentials) endFormer(r *http.Request) {
	former, err := sessionSecret(r)
	if err != nil || former == "" {
		return
	}
	_, err = s.find(func(d *Dataset) error {
		actor, err := d.Auth.Verify(r.Context(), former)
		if err != nil {
			return err
		}
		return d.Auth.EndSession(r.Context(), actor, actor.TokenID)
	})
	if err != nil && kith.KindOf(err) != kith.Unauthorized {
		s.log.Warn().Err(err).Str("request_id", requestID(r.Context())).Msg("cannot end a former session")
	}
}

// sessionAnswer is a session of the caller.
type sessionAnswer struct {
	ID         string    `json:"id"`
	Agent      string    `json:"agent"`
	CreatedAt  time.Time `json:"created_at"`
	LastUsedAt time.Time `json:"last_used_at"`
	ExpiresAt  time.Time `json:"expires_at"`
	// Current is true for the session of this request.
	Current bool `json:"current"`
}

// listSessions answers GET /v2/user/sessions.
func listSessions(r *http.Request) (any, error) {
	c := callerFrom(r.Context())
	sessions, err := c.dataset.Auth.Sessions(r.Context(), c.actor)
	if err != nil {
		return nil, err
	}
	return kith.Each(sessions, func(one auth.Session) sessionAnswer {
		return sessionAnswer{
			ID: c.dataset.IDs.Seal(publicid.Session, one.ID), Agent: one.Agent, CreatedAt: one.Created,
			LastUsedAt: one.LastUsed, ExpiresAt: one.Expires, Current: one.ID == c.actor.TokenID,
		}
	}), nil
}

// currentSession is the id that means the session of the request itself.
const currentSession = "current"

// endSession answers DELETE /v2/user/sessions/{id}.
func endSession(w http.ResponseWriter, r *http.Request) error {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	id := c.actor.TokenID
	if chi.URLParam(r, "id") != currentSession {
		id = ids.open(publicid.Session, "id")
	}
	if err := ids.with(nil); err != nil {
		return err
	}
	if err := c.dataset.Auth.EndSession(r.Context(), c.actor, id); err != nil {
		return err
	}
	if id == c.actor.TokenID {
		setSession(w, r, "", 0)
	}
	respond(w, r, deletedAnswer{ID: c.dataset.IDs.Seal(publicid.Session, id), Deleted: true})
	return nil
}

// endSessions answers DELETE /v2/user/sessions: it signs the user out everywhere.
func endSessions(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	ended, err := c.dataset.Auth.EndSessions(r.Context(), c.actor)
	if err != nil {
		return err
	}
	if auth.IsSession(c.token) {
		setSession(w, r, "", 0)
	}
	respond(w, r, map[string]int{"ended": ended})
	return nil
}
