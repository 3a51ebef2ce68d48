package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/http/strict"
	"kith/internal/access/auth"
)

// issuedAnswer is a new token.
type issuedAnswer struct {
	Token     string    `json:"token"`
	TokenType string    `json:"token_type"`
	ExpiresIn int64     `json:"expires_in"`
	ExpiresAt time.Time `json:"expires_at"`
	Scopes    []string  `json:"scopes"`
}

type revokedAnswer struct {
	Revoked bool `json:"revoked"`
	All     bool `json:"all"`
}

// issueToken issues a token for one of the app's users.
func issueToken(w http.ResponseWriter, r *http.Request) (write, error) {
	c := keyCallerFrom(r.Context())
	var scopes kith.Scopes
	made, identity, err := readWrite(w, r, smallBody, func(v strict.Value) (auth.Identity, []kith.FieldError) {
		list, _ := v.Get("scopes")
		scopes = scopesNamed(list)
		id := auth.Identity{ExternalID: v.String("external_user_id"), Email: v.String("email")}
		return id, id.Check()
	})
	made.secret = true
	made.do = func(ctx context.Context, in *Services) (any, error) {
		t, err := in.Auth.IssueBy(ctx, c.key, identity, scopes)
		return issuedAnswer{
			Token: t.Token, TokenType: "Bearer", ExpiresIn: int64(t.TTL / time.Second), ExpiresAt: t.Expires,
			Scopes: t.Scopes.Names(),
		}, err
	}
	return made, err
}

// appOwner returns the owner of idempotency keys sent with an app's secret keys.
func appOwner(app int64) string { return "app " + strconv.FormatInt(app, 10) }

// revokeToken ends the request's token, or all tokens of its user. The body is optional.
func (s credentials) revokeToken(w http.ResponseWriter, r *http.Request) error {
	c, denied := s.signIn(w, r)
	if denied != nil && (kith.KindOf(denied) != kith.Unauthorized || r.Header.Get(idempotencyKeyHeader) == "") {
		return denied
	}
	body, err := readOptionalBody(w, r)
	if err != nil && denied == nil {
		return err
	}
	if denied != nil {
		// A repeat of the revocation that ended this very token gets the first answer.
		return s.recallRevocation(w, r, body, denied)
	}
	v, err := parseAs(r, body, asIs)
	if err != nil {
		return err
	}
	all := v.Bool("all")
	return s.writeOnce(w, r,
		write{
			dataset: c.dataset,
			owner:   tokenOwner(c.token), aboutNobody: true, body: body,
			do: func(ctx context.Context, in *Services) (any, error) {
				return revokedAnswer{Revoked: true, All: all}, in.Auth.Revoke(ctx, c.token, all)
			},
		})
}

// tokenOwner returns the owner of a revocation's idempotency keys: the token that is to end. The
// answer about one token says nothing about another, and an ended token no longer identifies its user.
func tokenOwner(token string) string { return "token " + token }

func (s credentials) recallRevocation(w http.ResponseWriter, r *http.Request, body []byte, denied error) error {
	token, err := s.readCredential(r)
	if err != nil {
		return denied
	}
	for i := range s.cfg.Datasets {
		ends := write{dataset: &s.cfg.Datasets[i], owner: tokenOwner(token), body: body}
		if _, done, _ := ends.recall(w, r); done { // a dataset that fails has no answer
			return nil
		}
	}
	return denied
}
