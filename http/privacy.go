package http

import (
	"context"
	"net/http"

	"kith"
	"kith/http/strict"
	"kith/internal/auth"
	"kith/internal/privacy"
)

// Privacy is what the server needs of [privacy.Service].
type Privacy interface {
	Forget(ctx context.Context, identifiers []string, actor string) ([]privacy.Result, error)
	Settle(ctx context.Context) (bool, error)
}

// forgetShape is the body of POST /v2/privacy/forget.
func forgetShape() *strict.Schema {
	return &strict.Schema{Kinds: strict.Object, Fields: []strict.Field{
		{Name: "identifiers", Required: true, Schema: &strict.Schema{
			Kinds: strict.Array, MinItems: 1, MaxItems: privacy.MaxIdentifiers, Items: text(1, maxIdentifierLength),
		}},
	}}
}

type forgetAnswer struct {
	Results []forgetResult `json:"results"`
	// SearchUpdated is false where searches will find them for a while yet.
	SearchUpdated bool `json:"search_updated"`
}

type forgetResult struct {
	Identifier string         `json:"identifier"`
	Status     privacy.Status `json:"status"`
	Error      *itemError     `json:"error,omitempty"`
}

// forget answers POST /v2/privacy/forget, which is for apps. Doing it twice does
// what doing it once does, so it needs no idempotency key; and its answer must
// not be kept.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) error {
	directory, app, err := s.appOf(w, r)
	if err != nil {
		return err
	}
	body, err := readBody(w, r, smallBody)
	if err != nil {
		return err
	}
	v, problems, err := readObject(body, s.shapes.forget)
	if err == nil {
		err = kith.InvalidFields(problems)
	}
	if err != nil {
		return err
	}
	if directory.Privacy == nil {
		return kith.Errorf(kith.Forbidden, "DEMO_READ_ONLY", "the people of the demo are made up and shared by all who try it; they cannot be forgotten")
	}
	list, _ := v.Get("identifiers")
	identifiers := make([]string, len(list.Items))
	for i, item := range list.Items {
		identifiers[i] = item.Text
	}
	results, err := directory.Privacy.Forget(r.Context(), identifiers, "app "+app.Name)
	if err != nil {
		return err
	}
	answer := forgetAnswer{Results: make([]forgetResult, len(results))}
	for i, res := range results {
		answer.Results[i] = forgetResult{Identifier: res.Identifier, Status: res.Status}
		if res.Status == privacy.Failed {
			answer.Results[i].Error = &itemError{Code: res.Code, Message: res.Message}
		}
	}
	if answer.SearchUpdated, err = directory.Privacy.Settle(r.Context()); err != nil {
		return err
	}
	s.ok(w, r, answer)
	return nil
}

// appOf finds the directory and the app of the secret key, and takes the
// request out of the key's bucket.
func (s *Server) appOf(w http.ResponseWriter, r *http.Request) (*Directory, auth.App, error) {
	var app auth.App
	key, err := secretKey(r.Header)
	if err != nil {
		return nil, app, s.stranger(w, r, err)
	}
	directory, err := s.known(w, r, bucket{s.byKey, "secret_key", auth.HashOf(key)}, func(d *Directory) (err error) {
		app, err = d.Auth.App(r.Context(), key)
		return err
	})
	return directory, app, err
}
