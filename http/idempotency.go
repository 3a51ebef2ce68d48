package http

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"kith"
	"kith/internal/idempotency"
)

const idempotencyKeyHeader = "Idempotency-Key"

// write is a request that changes something.
type write struct {
	// owner is whose idempotency keys are meant, in this directory.
	owner string
	// aboutNobody is true where the answer names no person of the directory; what
	// may name one is dropped when somebody is forgotten.
	aboutNobody bool
	body        []byte
	// do makes the change and returns the data of the answer.
	do func(ctx context.Context) (any, error)
}

// request is the write with a key. What is asked is the path, since it names
// what is to be changed, and the method.
func (c write) request(r *http.Request, key string) idempotency.Request {
	req := idempotency.Of(c.owner, r.Method+" "+r.URL.Path, key, c.body)
	req.AboutNobody = c.aboutNobody
	return req
}

// owner is whose idempotency keys a caller sends: the user's, with whatever
// token. The number of a user is that of one user of one app.
func (c caller) owner() string { return "user " + strconv.FormatInt(c.actor.UserID, 10) }

// writeOnce makes a change and answers it. With an idempotency key it is made once:
// a repeat gets the first answer. Only successes are kept, since a refusal
// changed nothing and a failure is worth another try.
func (s *Server) writeOnce(w http.ResponseWriter, r *http.Request, d *Directory, change write) error {
	key, err := idempotencyKey(r.Header)
	if err != nil {
		return err
	}
	if key == "" {
		data, err := change.do(r.Context())
		if err != nil {
			return err
		}
		respond(w, r, data)
		return nil
	}
	req := change.request(r, key)
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

// first makes a change whose key was claimed, and keeps the answer. It goes on
// where the client has gone, who will ask for the answer again. The claim is
// given back where nothing was changed for sure; otherwise, also after a panic, it
// stays, and repeats are told that the answer is not known.
func (s *Server) first(w http.ResponseWriter, r *http.Request, d *Directory, req idempotency.Request, change write) error {
	lasting := context.WithoutCancel(r.Context())
	ctx, cancel := s.work(lasting)
	defer cancel()
	ctx, timeUp := context.WithTimeout(ctx, idempotency.Hold)
	defer timeUp()
	data, err := change.do(ctx)
	if err != nil {
		if !errors.Is(err, kith.ErrPerhapsDone) {
			s.giveBack(lasting, d, req)
		}
		return err
	}
	body, err := json.Marshal(success{Data: data, Metadata: metadata{RequestID: requestID(ctx)}})
	if err != nil {
		return fmt.Errorf("encoding an answer: %w", err)
	}
	answer := idempotency.Answer{Status: http.StatusOK, Body: append(body, '\n')}
	if err := d.Answers.Finish(lasting, req, answer); err != nil {
		s.log.Error().Str("request_id", requestID(ctx)).Err(err).Msg("the answer to an idempotency key could not be kept")
	}
	writeBody(w, answer.Status, typeJSON, answer.Body)
	return nil
}

func (s *Server) giveBack(ctx context.Context, d *Directory, req idempotency.Request) {
	if err := d.Answers.Abandon(ctx, req); err != nil {
		s.log.Error().Str("request_id", requestID(ctx)).Err(err).Msg("an idempotency key stays claimed")
	}
}

// recall answers with the first answer of a request, where there is one.
func recall(w http.ResponseWriter, r *http.Request, d *Directory, change write) bool {
	key, err := idempotencyKey(r.Header)
	if err != nil || key == "" {
		return false
	}
	first, err := d.Answers.Recall(r.Context(), change.request(r, key))
	if err != nil || first == nil {
		return false
	}
	replay(w, first)
	return true
}

func replay(w http.ResponseWriter, first *idempotency.Answer) {
	w.Header().Set("Idempotency-Replayed", "true")
	writeBody(w, first.Status, typeJSON, first.Body)
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
