package http

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// observed logs and counts every request. Neither tokens nor bodies nor
// queries are logged: they may hold secrets and names of people.
func (s *Server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		// A deadline outlives its answer on a connection that is kept: each
		// request begins with one of its own.
		boundWrite(w)
		out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			took, status, route := time.Since(start), out.Status(), routeOf(r)
			if status == 0 {
				status = http.StatusOK
			}
			s.metrics.observe(knownMethod(r.Method), route, status, took)
			s.log.Info().Str("request_id", requestID(r.Context())).Str("method", r.Method).Str("route", route).
				Int("status", status).Int("bytes", out.BytesWritten()).Dur("took", took).Str("remote", address(r)).Msg("request")
		}()
		next.ServeHTTP(out, r)
	})
}

// routeOf is the pattern that a request matched, never its path: paths are
// without bound.
func routeOf(r *http.Request) string {
	if route := chi.RouteContext(r.Context()).RoutePattern(); route != "" {
		return route
	}
	return "none"
}

// methods are those that a client may sensibly send.
func methods() []string {
	return []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
		http.MethodPatch, http.MethodDelete, http.MethodOptions,
	}
}

func knownMethod(m string) string {
	if slices.Contains(methods(), m) {
		return m
	}
	return "other"
}

// recovered answers a request whose handler panicked, as long as nothing was
// written; otherwise it cuts the connection, so that the client sees that the
// answer is not whole.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so itself
				panic(p)
			}
			s.panicked(r, p)
			if out, ok := w.(middleware.WrapResponseWriter); ok && out.Status() != 0 {
				panic(http.ErrAbortHandler)
			}
			s.fail(w, r, fmt.Errorf("panic: %v", p))
		}()
		next.ServeHTTP(w, r)
	})
}

func (s *Server) panicked(r *http.Request, p any) {
	s.metrics.panics.Inc()
	s.log.Error().Str("request_id", requestID(r.Context())).Str("route", routeOf(r)).
		Str("stack", string(debug.Stack())).Msg(fmt.Sprintf("panic: %v", p))
}

// guarded sets the headers that keep browsers from making anything else of an
// answer than what it is. Pages loosen the policy for themselves.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
