package http

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/client"
	"kith/http/strict"
)

// statusClientGone is the logged status of a request whose client disconnected before the answer. It is never sent.
const statusClientGone = 499

// meaning is the HTTP form of a kind of error.
type meaning struct {
	status      int
	name, title string
	retryable   bool
}

// meaningOf is the only mapping of error kinds to statuses.
func meaningOf(k kith.Kind) meaning {
	known := map[kith.Kind]meaning{
		kith.Malformed:    {http.StatusBadRequest, "validation_error", "The request cannot be read", false},
		kith.Invalid:      {http.StatusUnprocessableEntity, "validation_error", "The request is not valid", false},
		kith.Unauthorized: {http.StatusUnauthorized, "authentication_error", "The caller is not authenticated", false},
		kith.Forbidden:    {http.StatusForbidden, "authorization_error", "The caller lacks permission", false},
		kith.NotFound:     {http.StatusNotFound, "not_found_error", "Not found", false},
		kith.Conflict:     {http.StatusConflict, "conflict_error", "The request conflicts with existing data", false},
		kith.Gone:         {http.StatusGone, "not_found_error", "No longer available", false},
		kith.Suppressed: {
			http.StatusUnavailableForLegalReasons, "not_found_error", "Not available for legal reasons", false,
		},
		kith.RateLimited: {http.StatusTooManyRequests, "rate_limit_exceeded", "Too many requests", true},
		kith.Unavailable: {
			http.StatusServiceUnavailable, "service_unavailable_error", "The service is unavailable", true,
		},
		kith.Timeout: {http.StatusGatewayTimeout, "timeout_error", "The request took too long", true},
	}
	if m, ok := known[k]; ok {
		return m
	}
	return meaning{http.StatusInternalServerError, "internal_error", "Internal error", true}
}

// refusal is an error that exists only in HTTP.
type refusal struct {
	status              int
	code, title, detail string
}

func (e *refusal) Error() string { return e.detail }

// describe converts any error to the caller's view. It reveals nothing of internal errors.
func describe(err error) client.Error {
	if e, ok := errors.AsType[*refusal](err); ok {
		return client.Error{
			Type: "validation_error", Title: e.title, Status: e.status, Detail: e.detail, Code: e.code,
			Fields: []kith.FieldError{},
		}
	}
	e, ok := errors.AsType[*kith.Error](err)
	if !ok && errors.Is(err, context.DeadlineExceeded) {
		e, ok = &kith.Error{
			Kind: kith.Timeout, Code: "TIMEOUT", Detail: "the request took too long; narrow it, or try again",
		}, true
	}
	if !ok || e.Kind == kith.Internal {
		e = &kith.Error{
			Code:   "INTERNAL_ERROR",
			Detail: "the request failed; quote the request id when you report this",
		}
	}
	m := meaningOf(e.Kind)
	out := client.Error{
		Type: m.name, Title: m.title, Status: m.status, Detail: e.Detail, Code: e.Code,
		Retryable:  m.retryable || e.RetryAfter > 0,
		Fields:     append([]kith.FieldError{}, e.Fields[:min(len(e.Fields), strict.MaxProblems)]...),
		Candidates: candidates(err), RetryAfter: e.RetryAfter,
	}
	if out.RetryAfter == 0 && (e.Kind == kith.Unavailable || e.Kind == kith.RateLimited) {
		out.RetryAfter = time.Second
	}
	return out
}

type failure struct {
	Error    client.Error    `json:"error"`
	Metadata client.Metadata `json:"metadata"`
}

// handler answers a request, or returns an error; see [Server.handle].
type handler func(w http.ResponseWriter, r *http.Request) error

// handle converts a handler for net/http, and writes returned errors as the error envelope. The
// context for calls to domains ends with the request, or when the server's grace period is over.
func (s *Server) handle(h handler) http.HandlerFunc {
	return s.handleStream(func(w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := s.work(r.Context())
		defer cancel()
		return h(w, r.WithContext(ctx))
	})
}

// handleStream is handle for routes that may stream. A stream outlives its work, to tell the client
// why it ended: the handler calls [progress.work] itself.
func (s *Server) handleStream(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// fail writes the error envelope. Nothing may have been written before.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		if r.Context().Err() != nil {
			w.WriteHeader(statusClientGone)
			return
		}
		err = s.stopReason(err)
	}
	e := describe(err)
	s.logFailure(r, e, err)
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
	if e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	drainBody(r, maxDrained)
	writeJSON(w, e.Status, failure{Error: e, Metadata: newMetadata(r.Context())})
}

func (s *Server) logFailure(r *http.Request, e client.Error, err error) {
	if e.Status < http.StatusInternalServerError {
		return
	}
	s.log.Error().Str("request_id", requestID(r.Context())).Int("status", e.Status).Str("code",
		e.Code).Err(err).Msg("request failed")
}
