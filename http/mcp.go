package http

import (
	"net/http"

	"kith/client"
	"kith/http/openapi"
	"kith/internal/agents"
)

// agentsHandler serves the tools for agents. They call the API of this server with the request's
// token, so the API's scopes, limits and audit apply.
func (s *Server) agentsHandler() (http.Handler, error) {
	api, err := client.New(client.Config{URL: client.LocalURL, Transport: client.Local(s)})
	if err != nil {
		return nil, err
	}
	doc, err := openapi.Parse()
	if err != nil {
		return nil, err
	}
	filters, values := doc.Filters()
	return agents.Handler(agents.New(agents.Config{
		Client: func(h http.Header) *client.Client {
			token, _ := bearerToken(h) // without one the API refuses each call
			return api.For(token)
		},
		Write: s.cfg.AgentsWrite, Version: s.cfg.Version, Filters: filters, FilterValues: values,
	})), nil
}

// requireBearer rejects requests without a bearer token of their own.
func (s *Server) requireBearer(next http.Handler) http.Handler {
	return s.handleStream(func(w http.ResponseWriter, r *http.Request) error {
		if _, err := bearerToken(r.Header); err != nil {
			return s.countRefusal(w, r, err)
		}
		next.ServeHTTP(w, r)
		return nil
	})
}
