package http

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"kith"
	"kith/http/strict"
	"kith/internal/access/idempotency"
)

const idempotencyKeyHeader = "Idempotency-Key"

// write is a change that a request asks for.
type write struct {
	dataset *Dataset
	// owner is the owner of the idempotency keys, within the dataset.
	owner string
	// aboutNobody is true if the answer names no person of the dataset. An erasure deletes stored
	// answers that may name one.
	aboutNobody bool
	// secret is true if the answer contains a secret, which is not stored.
	secret bool
	body   []byte
	// status is the status of a success; 0 means 200.
	status int
	// before runs first, outside of the transaction; nil for nothing. Repeated requests may run it again.
	before func(ctx context.Context) error
	// do makes the change with the given services, and returns the data of the answer.
	do func(ctx context.Context, in *Services) (any, error)
}

// readWrite is [readAs] for a change of the request. The change lacks what it does.
func readWrite[T any](
	w http.ResponseWriter, r *http.Request, limit int64, read func(strict.Value) (T, []kith.FieldError),
) (change write, out T, err error) {
	change.dataset, change.owner = ownerOf(r)
	if change.body, err = readBody(w, r, limit); err == nil {
		out, err = parseAs(r, change.body, read)
	}
	return change, out, err
}

// once serves writes that h makes of requests. The write happens after h has returned.
func (s *Server) once(h func(http.ResponseWriter, *http.Request) (write, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		change, err := h(w, r)
		if err != nil {
			return err
		}
		return s.writeOnce(w, r, change)
	}
}

// request returns the write with a key. The method and the path, which names the target, are part of it.
func (c write) request(r *http.Request, key string) idempotency.Request {
	req := idempotency.Of(c.owner, r.Method+" "+r.URL.Path, key, c.body)
	req.AboutNobody, req.Secret = c.aboutNobody, c.secret
	return req
}

// prepare runs before, if set.
func (c write) prepare(ctx context.Context) error {
	if c.before == nil {
		return nil
	}
	return c.before(ctx)
}

// owner returns the owner of a caller's idempotency keys: the user, with any token. A user number
// identifies one user of one app.
func (c caller) owner() string { return "user " + strconv.FormatInt(c.actor.UserID, 10) }

// writeOnce makes a change and answers it. With an idempotency key it makes the change once, and repeats get
// the first answer. It stores only successes: a refusal changed nothing, and a failure deserves another try.
func (s *Server) writeOnce(w http.ResponseWriter, r *http.Request, change write) error {
	change.status = cmp.Or(change.status, http.StatusOK)
	key, done, err := change.recall(w, r)
	switch {
	case err != nil || done:
		return err
	case key == "":
		return change.answer(w, r)
	}
	return s.first(w, r, change, key)
}

// answer makes a change without a key.
func (c write) answer(w http.ResponseWriter, r *http.Request) error {
	if err := c.prepare(r.Context()); err != nil {
		return err
	}
	data, err := c.do(r.Context(), &c.dataset.Services)
	if err != nil {
		return err
	}
	writeJSON(w, c.status, success{Data: data, Metadata: newMetadata(r.Context())})
	return nil
}

// first makes a change with a key that has no stored answer. It continues if the client
// disconnects, because the client will ask for the answer again.
func (s *Server) first(w http.ResponseWriter, r *http.Request, change write, key string) error {
	ctx, cancel := s.work(context.WithoutCancel(r.Context()))
	defer cancel()
	ctx, timeUp := context.WithTimeout(ctx, idempotency.Hold)
	defer timeUp()
	if err := change.prepare(ctx); err != nil {
		return err
	}
	answer, replayed, err := change.dataset.Answers.Once(ctx, change.request(r, key),
		func(ctx context.Context, in *Services) (idempotency.Answer, error) {
			data, err := change.do(ctx, in)
			if err != nil {
				return idempotency.Answer{}, err
			}
			body, err := encode(success{Data: data, Metadata: newMetadata(ctx)})
			if err != nil {
				return idempotency.Answer{}, fmt.Errorf("encoding a response: %w", err)
			}
			return idempotency.Answer{Status: change.status, Body: append(body, '\n')}, nil
		})
	switch {
	case err != nil:
		return err
	case replayed:
		replay(w, &answer)
	default:
		writeBody(w, answer.Status, typeJSON, answer.Body)
	}
	return nil
}

// recall replays the stored answer of a request, if there is one. key is that of the request; empty for none.
func (c write) recall(w http.ResponseWriter, r *http.Request) (key string, done bool, err error) {
	if key, err = idempotencyKey(r.Header); err != nil || key == "" {
		return "", false, err
	}
	first, err := c.dataset.Answers.Recall(r.Context(), c.request(r, key))
	if err != nil || first == nil {
		return key, false, err
	}
	replay(w, first)
	return key, true, nil
}

func replay(w http.ResponseWriter, first *idempotency.Answer) {
	w.Header().Set("Idempotency-Replayed", "true")
	writeBody(w, first.Status, typeJSON, first.Body)
}

// idempotencyKey returns the key of a request, or "".
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
