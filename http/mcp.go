package http

import (
	"net/http"

	"kith/client"
	"kith/http/agents"
)

// agentsHandler serves the tools for agents. They call the API of this server with the request's
// token, so the API's scopes, limits and audit apply.
func (s *Server) agentsHandler() (http.Handler, error) {
	api, err := client.New(client.Config{URL: client.LocalURL, Transport: client.Local(s)})
	if err != nil {
		return nil, err
	}
	about, err := readDescribed()
	if err != nil {
		return nil, err
	}
	return agents.Handler(agents.New(agents.Config{
		Client: func(h http.Header) *client.Client {
			token, _ := bearerToken(h) // without one the API refuses each call
			return api.For(token)
		},
		Write: s.cfg.AgentsWrite, Version: s.cfg.Version, Filters: about.filters, FilterValues: about.filterValues,
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
