package http

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// routingPath returns the path for routing: encoded as received, if decoding would change its segments.
func routingPath(r *http.Request) string {
	if r.URL.RawPath != "" {
		return r.URL.RawPath
	}
	return r.URL.Path
}

// allowedMethods lists the methods of a path, none for an unknown path. A literal route takes
// precedence over a parameter: /v2/sequences/activities is no sequence.
func allowedMethods(router chi.Routes, path string) []string {
	var all, named []string
	for _, m := range methods() {
		pattern := patternOf(router, m, path)
		if pattern != "" {
			all = append(all, m)
		}
		if pattern != "" && pattern == path {
			named = append(named, m)
		}
	}
	if len(named) > 0 {
		all = named
	}
	if len(all) > 0 {
		all = append(all, http.MethodOptions)
	}
	return all
}

// patternOf returns the pattern that serves a method and a path, or "". HEAD is served as GET.
func patternOf(router chi.Routes, method, path string) string {
	pattern := router.Find(chi.NewRouteContext(), method, path)
	if method == http.MethodHead && pattern == "" {
		return router.Find(chi.NewRouteContext(), http.MethodGet, path)
	}
	return pattern
}

// rejectShadowed rejects a method that the router would pass to a parameter route although a literal route has this
// path.
func (s *Server) rejectShadowed(router chi.Routes) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			pattern := patternOf(router, r.Method, routingPath(r))
			if strings.Contains(pattern, "{") {
				if allowed := allowedMethods(router, routingPath(r)); !slices.Contains(allowed, r.Method) {
					s.fail(w, r, errMethod(w, r.Method, allowed))
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// errMethod names the allowed methods, also in the header Allow.
func errMethod(w http.ResponseWriter, method string, allowed []string) error {
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	return &refusal{
		status: http.StatusMethodNotAllowed, code: "METHOD_NOT_ALLOWED", title: "The method is not allowed",
		detail: fmt.Sprintf("this path does not support %.20q; use %s", method, list),
	}
}
