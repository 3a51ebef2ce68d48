package http

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/internal/suggest"
)

// Suggester is the part of [suggest.Service] that the server needs.
type Suggester interface {
	Suggest(ctx context.Context, req suggest.Request) ([]suggest.Suggestion, error)
}

// suggest completes the caller's input.
func (s *Server) suggest(w http.ResponseWriter, r *http.Request) error {
	req, err := readSuggest(r.URL.RawQuery)
	if err != nil {
		return err
	}
	ctx, done := s.work(r.Context())
	defer done()
	found, err := callerFrom(r.Context()).directory.Suggest.Suggest(ctx, req)
	if err != nil {
		return err
	}
	if found == nil {
		found = []suggest.Suggestion{}
	}
	respond(w, r, found)
	return nil
}

// readSuggest reads the query. The service checks the values.
func readSuggest(raw string) (req suggest.Request, err error) {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return req, kith.Errorf(kith.Malformed, "QUERY_MALFORMED",
			"the query of the address cannot be read; percent-encode its values")
	}
	known := []string{"field", "limit", "q"}
	var problems []kith.FieldError
	for name, values := range query {
		switch {
		case !slices.Contains(known, name):
			problems = append(problems, kith.FieldError{
				Field: name, Code: "UNKNOWN_FIELD", Message: "is not a known parameter; known are " + strings.Join(known, ", "),
			})
		case len(values) > 1:
			problems = append(problems, kith.FieldError{Field: name, Code: "REPEATED", Message: "must stand once"})
		}
	}
	req = suggest.Request{Field: suggest.Field(query.Get("field")), Text: query.Get("q")}
	if query.Has("limit") {
		if req.Limit, err = strconv.Atoi(query.Get("limit")); err != nil || req.Limit < 1 {
			problems = append(problems, kith.FieldError{
				Field: "limit", Code: "OUT_OF_RANGE",
				Message: fmt.Sprintf("must be between 1 and %d (got %q)", suggest.MaxLimit, query.Get("limit")),
			})
		}
	}
	slices.SortFunc(problems, func(a, b kith.FieldError) int { return strings.Compare(a.Field, b.Field) })
	return req, kith.InvalidFields(problems)
}
