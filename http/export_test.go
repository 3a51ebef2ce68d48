package http

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// Routes lists what is served as "METHOD /path".
func (s *Server) Routes() []string {
	var out []string
	router, ok := s.handler.(chi.Routes)
	if !ok {
		return nil
	}
	_ = chi.Walk(router, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		out = append(out, method+" "+route)
		return nil
	})
	return out
}
