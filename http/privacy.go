package http

import (
	"context"
	"net/http"

	"kith"
	"kith/http/strict"
	"kith/internal/privacy"
)

// Privacy is what the server needs of [privacy.Service].
type Privacy interface {
	Forget(ctx context.Context, identifiers []string, actor string) ([]privacy.Result, error)
	Settle(ctx context.Context) (bool, error)
}

// forgetShape is the body of POST /v2/privacy/forget.
func forgetShape() *strict.Schema {
	return object([]strict.Field{
		{Name: "identifiers", Required: true, Schema: &strict.Schema{
			Kinds: strict.Array, MinItems: 1, MaxItems: privacy.MaxIdentifiers, Items: text(1, maxIdentifierLength),
		}},
	})
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

// forget answers POST /v2/privacy/forget, which is for apps. Doing it twice
// erases no one else, so it needs no idempotency key; and its answer must not be
// kept.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) error {
	directory, app, err := s.appOf(w, r)
	if err != nil {
		return err
	}
	_, v, err := readAs(w, r, smallBody, s.shapes.forget, asIs)
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
	respond(w, r, answer)
	return nil
}
