package http

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/http/strict"
)

// defaultPage is the default number of entries in a page of a list.
const defaultPage = 25

// page is the requested part of a list.
type page struct {
	cursor string
	limit  int
}

// check is a check of a parameter that the description cannot express.
type check struct {
	name string
	// wrong returns what would be right, or "".
	wrong func(value string) string
}

// parsePage reads the query of a paged list. It reports every problem.
func parsePage(r *http.Request, checks ...check) (page, error) {
	query, problems, err := parseQuery(r)
	if err != nil {
		return page{}, err
	}
	for _, c := range checks {
		if message := c.wrong(query.Get(c.name)); query.Has(c.name) && message != "" {
			problems = append(problems, kith.FieldError{Field: c.name, Code: "INVALID_VALUE", Message: message})
		}
	}
	p := page{cursor: query.Get("cursor"), limit: defaultPage}
	if query.Has("limit") {
		p.limit, _ = strconv.Atoi(query.Get("limit")) // checked by parseQuery
	}
	return p, invalidQuery(problems)
}

// parseQuery returns the parameters in the query of the address that are as described, and the problems of the others.
func parseQuery(r *http.Request) (url.Values, []kith.FieldError, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, kith.Errorf(kith.Malformed, "QUERY_MALFORMED",
			"the query string cannot be read; percent-encode its values")
	}
	var problems []kith.FieldError
	for name, values := range query {
		if code, message := checkParameter(operationOf(r).Query, name, values); code != "" {
			problems = append(problems, kith.FieldError{Field: name, Code: code, Message: message})
			delete(query, name)
		}
	}
	return query, problems, nil
}

// invalidQuery returns an error with the problems in order of their parameters, or nil if there are none.
func invalidQuery(problems []kith.FieldError) error {
	slices.SortFunc(problems, func(a, b kith.FieldError) int { return strings.Compare(a.Field, b.Field) })
	return kith.InvalidFields(problems)
}

// checkParameter compares a parameter with its description. The code that uses a text checks it.
func checkParameter(described []strict.Field, name string, values []string) (code, message string) {
	at := slices.IndexFunc(described, func(f strict.Field) bool { return f.Name == name })
	if at < 0 {
		var known []string
		for _, f := range described {
			known = append(known, f.Name)
		}
		return "UNKNOWN_FIELD", "is not a known parameter; use one of " + strings.Join(known, ", ")
	}
	if len(values) > 1 {
		return "REPEATED", "must be given once"
	}
	switch s := described[at].Schema; {
	case s.Kinds == strict.Integer:
		if n, err := strconv.Atoi(values[0]); err != nil || float64(n) < *s.Min || float64(n) > *s.Max {
			return "OUT_OF_RANGE", fmt.Sprintf("must be between %.0f and %.0f (got %.60q)", *s.Min, *s.Max, values[0])
		}
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, values[0]):
		return "INVALID_VALUE", fmt.Sprintf("must be %s (got %.60q)", strict.OneOf(s.Enum), values[0])
	}
	return "", ""
}
