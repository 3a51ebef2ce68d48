package http

import (
	"bytes"
	"net/http"
	"strings"
)

// notFound answers unknown paths: with a page for browsers, else with an error.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet || strings.HasPrefix(r.URL.Path, "/v2/") || !accepts(r, "Accept", "text/html") {
		return errNoRoute()
	}
	// Links are relative, as on all pages: a proxy may serve Kith under a path prefix.
	root := "./" + strings.Repeat("../", max(0, strings.Count(r.URL.Path, "/")-1))
	var page bytes.Buffer
	if err := s.pages.missing.Execute(&page, struct{ Root string }{root}); err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", pagePolicy)
	writeBody(w, http.StatusNotFound, typeHTML, page.Bytes())
	return nil
}
