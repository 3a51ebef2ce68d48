package http

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
)

// notFound answers for paths where nothing is: with a page where a browser shows it to a person, else with an error.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet || strings.HasPrefix(r.URL.Path, "/v2/") || !prefersHTML(r) {
		return errNoRoute()
	}
	// Links are relative, as on all pages: a proxy may serve Kith below a path of its own.
	root := "./" + strings.Repeat("../", max(0, strings.Count(r.URL.Path, "/")-1))
	var page bytes.Buffer
	if err := s.pages.missing.Execute(&page, struct{ Root string }{root}); err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", pagePolicy)
	writeBody(w, http.StatusNotFound, typeHTML, page.Bytes())
	return nil
}

// prefersHTML reports whether the client is a browser that shows a page: those alone ask for HTML by name.
func prefersHTML(r *http.Request) bool {
	for _, part := range listed(r, "Accept") {
		if media, _, err := mime.ParseMediaType(part); err == nil && media == "text/html" {
			return true
		}
	}
	return false
}
