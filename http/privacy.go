package http

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/client"
	"kith/internal/record/privacy"
)

type forgetAnswer struct {
	Results []forgetResult `json:"results"`
	// SearchUpdated is false if searches may still find them for a while.
	SearchUpdated bool `json:"search_updated"`
}

type forgetResult struct {
	Identifier string             `json:"identifier"`
	Status     privacy.Status     `json:"status"`
	ErasureID  int64              `json:"erasure_id,omitempty"`
	FinalAt    *time.Time         `json:"final_at,omitempty"`
	Error      *client.EntryError `json:"error,omitempty"`
}

// forget answers POST /v2/privacy/forget. It hides the people from all apps at once, and they are erased
// after a week. It takes no idempotency key: a repeat finds nobody, and the answer must not be stored.
func forget(w http.ResponseWriter, r *http.Request) error {
	return forgetBy(w, r, (*privacy.Service).Schedule)
}

// forgetInApp answers POST /v2/privacy/app/forget. It erases at once the data of the app's users on the people.
func forgetInApp(w http.ResponseWriter, r *http.Request) error {
	return forgetBy(w, r, (*privacy.Service).ForgetInApp)
}

// forgetBy answers with what became of each person, once searches no longer find them.
func forgetBy(
	w http.ResponseWriter, r *http.Request,
	do func(*privacy.Service, context.Context, []string, string, kith.Principal) ([]privacy.Result, error),
) error {
	c := keyCallerFrom(r.Context())
	v, err := readAs(w, r, smallBody, asIs)
	if err != nil {
		return err
	}
	service := c.dataset.Privacy
	if service == nil {
		return errDemoPrivacy()
	}
	people := readIdentifiers(v, "identifiers")
	results, err := do(service, r.Context(), people, "app "+c.key.App.Name, c.key.Principal())
	if err != nil {
		return err
	}
	answer, status := forgetAnswer{Results: newForgetResults(results)}, http.StatusOK
	if answer.SearchUpdated, err = service.WaitUntilVisible(r.Context()); err != nil {
		return err
	}
	if slices.ContainsFunc(results, func(r privacy.Result) bool { return r.Erasure != 0 }) {
		status = http.StatusAccepted
	}
	writeJSON(w, status, success{Data: answer, Metadata: newMetadata(r.Context())})
	return nil
}

func errDemoPrivacy() error {
	return kith.Errorf(kith.Forbidden, "DEMO_READ_ONLY",
		"demo people are generated and shared by all demo users; they cannot be forgotten")
}

func newForgetResults(results []privacy.Result) []forgetResult {
	out := make([]forgetResult, len(results))
	for i, res := range results {
		out[i] = forgetResult{
			Identifier: res.Identifier, Status: res.Status, ErasureID: res.Erasure, FinalAt: timeOrNull(res.FinalAt),
		}
		if res.Status == privacy.Failed {
			out[i].Error = &client.EntryError{Code: res.Code, Message: res.Message}
		}
	}
	return out
}

type canceledErasure struct {
	ErasureID int64 `json:"erasure_id"`
	Canceled  bool  `json:"canceled"`
}

// cancelForget answers DELETE /v2/privacy/forget/{id}.
func cancelForget(r *http.Request) (any, error) {
	c := keyCallerFrom(r.Context())
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil || id < 1 {
		return nil, kith.InvalidFields([]kith.FieldError{{
			Field: "id", Code: "INVALID_VALUE", Message: "must be the erasure_id of an earlier response",
		}})
	}
	if c.dataset.Privacy == nil {
		return nil, errDemoPrivacy()
	}
	return canceledErasure{ErasureID: id, Canceled: true}, c.dataset.Privacy.Cancel(r.Context(), id, c.key.Principal())
}
