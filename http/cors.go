package http

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// Headers for cross-origin calls to the API. The secret key is not among them: it does not belong in a browser.
const (
	corsRequestHeaders  = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id"
	corsResponseHeaders = "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, " +
		"Idempotency-Replayed"
)

// crossOrigin lets pages of the allowed origins read answers, and answers OPTIONS for every path.
func (s *Server) crossOrigin(router chi.Routes) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			allowed := s.allowOrigin(w.Header(), r.Header.Get("Origin"))
			if r.Method != http.MethodOptions {
				next.ServeHTTP(w, r)
				return
			}
			methods := allowedMethods(router, routingPath(r))
			if len(methods) == 0 {
				s.fail(w, r, errNoRoute())
				return
			}
			answerOptions(w, methods, allowed && r.Header.Get("Access-Control-Request-Method") != "")
		})
	}
}

// allowOrigin sets the headers that let pages of an allowed origin read the answer. It reports
// whether the origin is allowed.
func (s *Server) allowOrigin(h http.Header, origin string) bool {
	if len(s.cfg.AllowedOrigins) == 0 {
		return false
	}
	h.Add("Vary", "Origin")
	if origin == "" || !slices.Contains(s.cfg.AllowedOrigins, origin) && !slices.Contains(s.cfg.AllowedOrigins, "*") {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", corsResponseHeaders)
	return true
}

func answerOptions(w http.ResponseWriter, methods []string, preflight bool) {
	list := strings.Join(methods, ", ")
	w.Header().Set("Allow", list)
	if preflight {
		w.Header().Set("Access-Control-Allow-Methods", list)
		w.Header().Set("Access-Control-Allow-Headers", corsRequestHeaders)
		w.Header().Set("Access-Control-Max-Age", "600")
	}
	w.WriteHeader(http.StatusNoContent)
}
