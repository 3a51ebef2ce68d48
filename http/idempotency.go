package http

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"kith"
	"kith/internal/idempotency"
)

const idempotencyKeyHeader = "Idempotency-Key"

// write is a request that changes something.
type write struct {
	// credential is the caller's secret: a key is the caller's own.
	credential string
	body       []byte
	// do makes the change and returns the data of the answer.
	do func() (any, error)
}

// once makes a change and answers it. With an idempotency key it is made once:
// a repeat gets the first answer. Only successes are kept, since a refusal
// changed nothing and a failure is worth another try.
func (s *Server) once(w http.ResponseWriter, r *http.Request, d *Directory, change write) error {
	key, err := idempotencyKey(r.Header)
	if err != nil {
		return err
	}
	if key == "" {
		data, err := change.do()
		if err != nil {
			return err
		}
		s.ok(w, r, data)
		return nil
	}
	req := idempotency.Of(change.credential, routeOf(r), key, change.body)
	first, err := d.Answers.Begin(r.Context(), req)
	if err != nil {
		return err
	}
	if first != nil {
		replay(w, first)
		return nil
	}
	return s.first(w, r, d, req, change)
}

// first makes a change whose key was claimed, and keeps the answer.
func (s *Server) first(w http.ResponseWriter, r *http.Request, d *Directory, req idempotency.Request, change write) error {
	// The claim must not outlive the request, also where its client has gone.
	ctx := context.WithoutCancel(r.Context())
	kept := false
	defer func() {
		if kept {
			return
		}
		if err := d.Answers.Abandon(ctx, req); err != nil {
			s.log.Error().Str("request_id", requestID(ctx)).Err(err).Msg("an idempotency key stays claimed for a while")
		}
	}()
	data, err := change.do()
	if err != nil {
		return err
	}
	body, err := json.Marshal(success{Data: data, Metadata: metadata{RequestID: requestID(ctx)}})
	if err != nil {
		return fmt.Errorf("encoding an answer: %w", err)
	}
	answer := idempotency.Answer{Status: http.StatusOK, Body: append(body, '\n')}
	kept = true // the change is made: a lost answer is no leave to make it again
	if err := d.Answers.Finish(ctx, req, answer); err != nil {
		s.log.Error().Str("request_id", requestID(ctx)).Err(err).Msg("the answer to an idempotency key could not be kept")
	}
	writeBody(w, answer.Status, answer.Body)
	return nil
}

// recall answers with the first answer of a request, where there is one.
func (s *Server) recall(w http.ResponseWriter, r *http.Request, d *Directory, change write) bool {
	key, err := idempotencyKey(r.Header)
	if err != nil || key == "" {
		return false
	}
	first, err := d.Answers.Recall(r.Context(), idempotency.Of(change.credential, routeOf(r), key, change.body))
	if err != nil || first == nil {
		return false
	}
	replay(w, first)
	return true
}

func replay(w http.ResponseWriter, first *idempotency.Answer) {
	w.Header().Set("Idempotency-Replayed", "true")
	writeBody(w, first.Status, first.Body)
}

// idempotencyKey returns the key of a request, "" where it has none.
func idempotencyKey(h http.Header) (string, error) {
	values := h.Values(idempotencyKeyHeader)
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	printable := strings.IndexFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) < 0
	if len(values) > 1 || key == "" || len(key) > idempotency.MaxKey || !printable {
		return "", kith.InvalidFields([]kith.FieldError{{
			Field: "headers." + idempotencyKeyHeader, Code: "INVALID_IDEMPOTENCY_KEY",
			Message: "must be given once, with 1 to 255 printable ASCII characters",
		}})
	}
	return key, nil
}
