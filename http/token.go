package http

import (
	"net/http"
	"time"

	"kith"
	"kith/http/strict"
	"kith/internal/auth"
)

// issuedAnswer is a new token.
type issuedAnswer struct {
	Token     string    `json:"token"`
	TokenType string    `json:"token_type"`
	ExpiresIn int64     `json:"expires_in"`
	ExpiresAt time.Time `json:"expires_at"`
}

type revokedAnswer struct {
	Revoked bool `json:"revoked"`
	All     bool `json:"all"`
}

// issueShape is the body of POST /v2/auth/tokens.
func issueShape() *strict.Schema {
	return &strict.Schema{Kinds: strict.Object, Fields: []strict.Field{
		{Name: "external_user_id", Required: true, Schema: &strict.Schema{Kinds: strict.String, MinLength: 1, MaxLength: auth.MaxExternalID}},
		{Name: "email", Required: true, Schema: &strict.Schema{Kinds: strict.String, MinLength: 1, MaxLength: auth.MaxEmail}},
	}}
}

// revokeShape is the body of POST /v2/auth/tokens/revoke.
func revokeShape() *strict.Schema {
	return &strict.Schema{Kinds: strict.Object, Fields: []strict.Field{
		{Name: "all", Schema: &strict.Schema{Kinds: strict.Bool}},
	}}
}

// issueToken gives the app of a secret key a token for one of its users.
func (s *Server) issueToken(w http.ResponseWriter, r *http.Request) error {
	directory, app, err := s.appOf(w, r)
	if err != nil {
		return err
	}
	key := r.Header.Get("secret-key")
	body, identity, err := readAs(w, r, smallBody, s.shapes.issue, identityOf)
	if err != nil {
		return err
	}
	return s.once(w, r, directory, write{credential: key, body: body, do: func() (any, error) {
		t, err := directory.Auth.Issue(r.Context(), app, identity)
		return issuedAnswer{Token: t.Token, TokenType: "Bearer", ExpiresIn: int64(t.TTL / time.Second), ExpiresAt: t.Expires}, err
	}})
}

// identityOf reads whom a token is for.
func identityOf(v strict.Value) (auth.Identity, []kith.FieldError) {
	id := auth.Identity{ExternalID: v.String("external_user_id"), Email: v.String("email")}
	return id, id.Check()
}

// revokeToken ends the token that it is called with, or all of its user. The
// body may be left out.
func (s *Server) revokeToken(w http.ResponseWriter, r *http.Request) error {
	c, denied := s.signIn(w, r)
	if denied != nil && (kith.KindOf(denied) != kith.Unauthorized || r.Header.Get(idempotencyKeyHeader) == "") {
		return denied
	}
	body, err := readOptionalBody(w, r)
	if err != nil && denied == nil {
		return err
	}
	if denied != nil {
		// A repeat of the revocation that ended this very token is answered as
		// the first one was.
		return s.recallRevocation(w, r, body, denied)
	}
	v, err := parseAs(body, s.shapes.revoke, asIs)
	if err != nil {
		return err
	}
	all := v.Bool("all")
	return s.once(w, r, c.directory, write{credential: c.token, body: body, do: func() (any, error) {
		return revokedAnswer{Revoked: true, All: all}, c.directory.Auth.Revoke(r.Context(), c.token, all)
	}})
}

func (s *Server) recallRevocation(w http.ResponseWriter, r *http.Request, body []byte, denied error) error {
	token, err := bearerToken(r.Header)
	if err != nil {
		return denied
	}
	for i := range s.cfg.Directories {
		if s.recall(w, r, &s.cfg.Directories[i], write{credential: token, body: body}) {
			return nil
		}
	}
	return denied
}
