package http

import (
	"net/http"
	"strconv"

	"kith/internal/search/suggest"
)

// suggest completes the caller's input.
func suggestTerms(r *http.Request) (any, error) {
	req, err := readSuggest(r)
	if err != nil {
		return nil, err
	}
	c := callerFrom(r.Context())
	found, err := c.dataset.Suggest.Suggest(r.Context(), c.viewer(), req)
	return append([]suggest.Suggestion{}, found...), err
}

// readSuggest reads the query. The problems include those that the service finds.
func readSuggest(r *http.Request) (suggest.Request, error) {
	query, problems, err := parseQuery(r)
	if err != nil {
		return suggest.Request{}, err
	}
	req := suggest.Request{Field: suggest.Field(query.Get("field")), Text: query.Get("q")}
	req.Limit, _ = strconv.Atoi(query.Get("limit")) // checked by parseQuery
	return req, invalidQuery(addProblems(problems, req.Check()))
}
