package http

import (
	"context"
	"net/http"
	"time"

	"kith"
	"kith/http/strict"
	"kith/internal/access/auth"
	"kith/internal/access/publicid"
)

// OwnTokens is the part of [auth.Service] that the server needs for tokens created by users.
type OwnTokens interface {
	OwnTokens(ctx context.Context, a kith.Actor) ([]auth.TokenInfo, error)
	IssueOwn(ctx context.Context, a kith.Actor, scopes kith.Scopes, ttl time.Duration) (int64, auth.Issued, error)
	EndOwnToken(ctx context.Context, a kith.Actor, id int64) error
}

// ownDays is the default lifetime in days of a token that a user creates.
const ownDays = 90

// ownTokenAnswer is a token of the caller. The token itself is shown only at creation.
type ownTokenAnswer struct {
	ID        string    `json:"id"`
	Token     string    `json:"token,omitempty"`
	Scopes    []string  `json:"scopes"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	// Key is the name of the secret key that issued the token; null if the user or operator created it.
	Key *string `json:"key"`
}

// listTokens answers GET /v2/user/tokens.
func listTokens(r *http.Request) (any, error) {
	c := callerFrom(r.Context())
	tokens, err := c.dataset.Auth.OwnTokens(r.Context(), c.actor)
	if err != nil {
		return nil, err
	}
	return kith.Each(tokens, func(t auth.TokenInfo) ownTokenAnswer {
		return ownTokenAnswer{
			ID: c.dataset.IDs.Seal(publicid.Token, t.ID), Scopes: t.Scopes.Names(), CreatedAt: t.Created,
			ExpiresAt: t.Expires, Key: textOrNull(t.Key),
		}
	}), nil
}

// createToken answers POST /v2/user/tokens. It requires a session: with a stolen token that creates
// others, a thief would keep access forever.
func createToken(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	if !auth.IsSession(c.token) {
		return write{}, kith.Errorf(kith.Forbidden, "SESSION_NEEDED",
			"only a session may create tokens; sign in on the page /sign-in, or get a token from the app's server")
	}
	made, v, err := readWrite(w, r, smallBody, asIs)
	scopes, days := kith.UserScopes, ownDays
	if list, ok := v.Get("scopes"); ok {
		scopes = scopesNamed(list)
	}
	if _, ok := v.Get("expires_in_days"); ok {
		days = v.Int("expires_in_days")
	}
	made.secret, made.aboutNobody = true, true
	made.do = func(ctx context.Context, in *Services) (any, error) {
		id, t, err := in.Auth.IssueOwn(ctx, c.actor, scopes, time.Duration(days)*day)
		return ownTokenAnswer{
			ID: c.dataset.IDs.Seal(publicid.Token, id), Token: t.Token, Scopes: t.Scopes.Names(),
			CreatedAt: t.Expires.Add(-t.TTL), ExpiresAt: t.Expires,
		}, err
	}
	return made, err
}

// scopesNamed reads scopes that the shape has checked.
func scopesNamed(list strict.Value) (scopes kith.Scopes) {
	for _, item := range list.Items {
		scope, _ := kith.ParseScopes([]string{item.Text}) // the shape accepts only known scopes
		scopes |= scope
	}
	return scopes
}

// endToken answers DELETE /v2/user/tokens/{id}.
func endToken(r *http.Request) (any, error) {
	return deleteSaved(r, publicid.Token, callerFrom(r.Context()).dataset.Auth.EndOwnToken)
}
