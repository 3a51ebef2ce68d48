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

const (
	// firstKey is the default name of an app's first key.
	firstKey = "first"
)

// readKeySpec reads the specification of a new key, which the credential must be able to grant.
func readKeySpec(r *http.Request, v strict.Value, name string) (auth.KeySpec, error) {
	spec := auth.KeySpec{Name: name, Scopes: kith.DefaultScopes}
	if list, ok := v.Get("scopes"); ok {
		spec.Scopes = scopesNamed(list)
	}
	if _, ok := v.Get("expires_in_days"); ok {
		spec.Lifetime = time.Duration(v.Int("expires_in_days")) * day
	}
	return spec, requireGrant(r.Context(), spec.Scopes)
}

type appAnswer struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Keys      int       `json:"keys"`
	Users     int       `json:"users"`
	CreatedAt time.Time `json:"created_at"`
}

// listApps answers GET /v2/admin/apps.
func listApps(w http.ResponseWriter, r *http.Request) error {
	d, owner := ownerOf(r)
	list := listing[int64]{seal: d.Seal, purpose: "apps", binding: owner}
	return answerList(w, r, nil, list, readPage(func(after int64, n int) ([]auth.AppInfo, error) {
		return d.Administration.AppPage(r.Context(), after, n)
	}), func(a auth.AppInfo) (appAnswer, int64) {
		return appAnswer{ID: a.ID, Name: a.Name, Keys: a.Keys, Users: a.Users, CreatedAt: a.Created}, a.ID
	})
}

type newAppAnswer struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// SecretKey is shown only once.
	SecretKey string `json:"secret_key"`
}

// createApp answers POST /v2/admin/apps.
func createApp(w http.ResponseWriter, r *http.Request) (write, error) {
	made, v, err := readWrite(w, r, smallBody, asIs)
	if err != nil {
		return made, err
	}
	spec, err := readKeySpec(r, v, firstKey)
	made.secret, made.aboutNobody = true, true
	made.do = func(ctx context.Context, in *Services) (any, error) {
		app, secret, err := in.Administration.CreateAppWith(
			ctx, operatorPrincipal(r), v.String("name"), spec,
		)
		return newAppAnswer{ID: app.ID, Name: app.Name, SecretKey: secret}, err
	}
	return made, err
}

// deleteApp answers DELETE /v2/admin/apps/{id}.
func deleteApp(r *http.Request) (any, error) {
	d, app, err := findApp(r)
	if err != nil {
		return nil, err
	}
	err = d.Administration.DeleteApp(r.Context(), operatorPrincipal(r), app)
	return deletedAnswer{ID: strconv.FormatInt(app.ID, 10), Deleted: true}, err
}

// findApp returns the app in the path of a request.
func findApp(r *http.Request) (*Dataset, auth.App, error) {
	d, _ := ownerOf(r)
	id, err := pathNumber(r, "id", "an app, as GET /v2/admin/apps gives it")
	if err != nil {
		return d, auth.App{}, err
	}
	app, err := d.Administration.AppByID(r.Context(), id)
	return d, app, err
}

type keyAnswer struct {
	ID         int64      `json:"id"`
	Name       string     `json:"name"`
	Scopes     []string   `json:"scopes"`
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  *time.Time `json:"expires_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
}

// listKeys answers GET /v2/admin/apps/{id}/keys.
func listKeys(r *http.Request) (any, error) {
	d, app, err := findApp(r)
	if err != nil {
		return nil, err
	}
	keys, err := d.Administration.Keys(r.Context(), app)
	if err != nil {
		return nil, err
	}
	return kith.Each(keys, func(k auth.Key) keyAnswer {
		return keyAnswer{
			ID: k.ID, Name: k.Name, Scopes: k.Scopes.Names(), CreatedAt: k.Created, ExpiresAt: timeOrNull(k.Expires),
			LastUsedAt: timeOrNull(k.LastUsed),
		}
	}), nil
}

type newKeyAnswer struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name"`
	Scopes []string `json:"scopes"`
	// SecretKey is shown only once.
	SecretKey string `json:"secret_key"`
}

// addKey answers POST /v2/admin/apps/{id}/keys.
func addKey(w http.ResponseWriter, r *http.Request) (write, error) {
	_, app, err := findApp(r)
	if err != nil {
		return write{}, err
	}
	made, v, err := readWrite(w, r, smallBody, asIs)
	if err != nil {
		return made, err
	}
	spec, err := readKeySpec(r, v, v.String("name"))
	made.secret, made.aboutNobody = true, true
	made.do = func(ctx context.Context, in *Services) (any, error) {
		id, secret, err := in.Administration.AddKey(ctx, operatorPrincipal(r), app, spec)
		return newKeyAnswer{ID: id, Name: spec.Name, Scopes: spec.Scopes.Names(), SecretKey: secret}, err
	}
	return made, err
}

// revokeKey answers DELETE /v2/admin/apps/{id}/keys/{key_id}.
func revokeKey(r *http.Request) (any, error) {
	d, app, err := findApp(r)
	if err != nil {
		return nil, err
	}
	key, err := pathNumber(r, "key_id", "a key, as the keys of the app give it")
	if err != nil {
		return nil, err
	}
	err = d.Administration.RevokeKey(r.Context(), operatorPrincipal(r), app, key)
	return deletedAnswer{ID: strconv.FormatInt(key, 10), Deleted: true}, err
}
