package http

import (
	"context"
	"net/http"
	"time"

	"kith"
	"kith/internal/access/auth"
)

type appUserAnswer struct {
	ID         string     `json:"external_user_id"`
	Email      string     `json:"email"`
	CreatedAt  time.Time  `json:"created_at"`
	DisabledAt *time.Time `json:"disabled_at"`
	// Tokens counts valid tokens, including browser sessions.
	Tokens int `json:"tokens"`
}

// listAppUsers answers GET /v2/admin/apps/{id}/users.
func listAppUsers(w http.ResponseWriter, r *http.Request) error {
	d, app, err := findApp(r)
	if err != nil {
		return err
	}
	_, owner := ownerOf(r)
	list := listing[int64]{seal: d.Seal, purpose: "users of an app", binding: owner + "/" + app.Name}
	return answerList(w, r, nil, list, readPage(func(after int64, n int) ([]auth.UserInfo, error) {
		return d.Administration.UserPage(r.Context(), app, after, n)
	}), func(u auth.UserInfo) (appUserAnswer, int64) {
		return appUserAnswer{
			ID: u.ExternalID, Email: u.Email, CreatedAt: u.Created, DisabledAt: timeOrNull(u.Disabled),
			Tokens: u.Tokens,
		}, u.ID
	})
}

type changedUserAnswer struct {
	ID       string `json:"external_user_id"`
	Disabled bool   `json:"disabled"`
}

// changeAppUser answers PATCH /v2/admin/apps/{id}/users.
func changeAppUser(w http.ResponseWriter, r *http.Request) (write, error) {
	_, app, err := findApp(r)
	if err != nil {
		return write{}, err
	}
	change, v, err := readWrite(w, r, smallBody, asIs)
	change.aboutNobody = true
	change.do = func(ctx context.Context, in *Services) (any, error) {
		out := changedUserAnswer{ID: v.String("external_user_id"), Disabled: v.Bool("disabled")}
		return out, in.Administration.SetDisabled(ctx, operatorPrincipal(r), app, out.ID, out.Disabled)
	}
	return change, err
}

type linkAnswer struct {
	// Path is the path of the link on this server; its fragment is the secret.
	Path      string    `json:"path"`
	ExpiresAt time.Time `json:"expires_at"`
}

// createLink answers POST /v2/admin/apps/{id}/login-links.
func createLink(w http.ResponseWriter, r *http.Request) (write, error) {
	_, app, err := findApp(r)
	if err != nil {
		return write{}, err
	}
	made, v, err := readWrite(w, r, smallBody, asIs)
	if err != nil {
		return made, err
	}
	issue, grants := (*auth.Service).LoginLink, kith.UserScopes
	if v.Bool("operator") {
		issue, grants = (*auth.Service).OperatorLink, kith.AllScopes
	}
	made.secret, made.aboutNobody = true, true
	made.do = func(ctx context.Context, in *Services) (any, error) {
		link, err := issue(
			in.Administration, ctx, operatorPrincipal(r), app,
			auth.Identity{ExternalID: v.String("external_user_id"), Email: v.String("email")},
		)
		return linkAnswer{Path: "/sign-in#" + link.Secret, ExpiresAt: link.Expires}, err
	}
	return made, requireGrant(r.Context(), grants)
}
