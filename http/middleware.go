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

// observeRequests logs and counts every request. It never logs tokens, bodies or queries, which may contain secrets and
// names.
func (s *Server) observeRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		// On a kept-alive connection the previous deadline still applies: each request sets its own.
		boundWrite(w)
		boundRead(w, r)
		out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			took, status, route := time.Since(start), out.Status(), routePattern(r)
			if status == 0 {
				status = http.StatusOK
			}
			s.metrics.observe(knownMethod(r.Method), route, status, took)
			s.log.Info().Str("request_id", requestID(r.Context())).Str("method", r.Method).Str("route", route).
				Int("status", status).Int("bytes", out.BytesWritten()).Dur("took", took).Str("remote",
				address(r)).Msg("request")
		}()
		next.ServeHTTP(out, r)
	})
}

// routePattern returns the matched pattern, never the path: the number of paths is unlimited.
func routePattern(r *http.Request) string {
	if route := chi.RouteContext(r.Context()).RoutePattern(); route != "" {
		return route
	}
	return "none"
}

// methods lists the methods that clients can sensibly send.
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

// recoverPanics answers a request whose handler panicked, if nothing was written yet. Otherwise it cuts
// the connection, so that the client sees that the answer is incomplete.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			switch p {
			case nil:
				return
			case http.ErrAbortHandler:
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
	s.log.Error().Str("request_id", requestID(r.Context())).Str("route", routePattern(r)).
		Str("stack", string(debug.Stack())).Msg(fmt.Sprintf("panic: %v", p))
}

// setSecurityHeaders sets headers that stop browsers from reinterpreting or embedding an answer. Pages set a
// looser policy for themselves.
func setSecurityHeaders(next http.Handler) http.Handler {
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
