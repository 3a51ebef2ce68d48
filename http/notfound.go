package http

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
)

// notFound answers unknown paths: with a page for browsers, else with an error.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet || strings.HasPrefix(r.URL.Path, "/v2/") || !prefersHTML(r) {
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

// prefersHTML reports whether the client is a browser that shows a page: only browsers ask for HTML explicitly.
func prefersHTML(r *http.Request) bool {
	for _, part := range headerMembers(r, "Accept") {
		if media, _, err := mime.ParseMediaType(part); err == nil && media == "text/html" {
			return true
		}
	}
	return false
}
