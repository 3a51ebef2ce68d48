package http

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"kith"
)

// Limits of the lists that are paged by query parameters.
const (
	defaultPage = 25
	maxPage     = 100
)

// page is which part of a list a request asks for.
type page struct {
	cursor string
	limit  int
	// params are the further parameters that the route knows.
	params url.Values
}

// pageOf reads the query of a paged list: cursor, limit, and those named.
// Every problem is reported; a parameter that the route does not know, or that
// stands twice, is one.
func pageOf(r *http.Request, known ...string) (page, error) {
	p := page{limit: defaultPage, params: url.Values{}}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return p, kith.Errorf(kith.Malformed, "QUERY_MALFORMED", "the query of the address cannot be read; percent-encode its values")
	}
	var problems []kith.FieldError
	refuse := func(field, code, message string) {
		problems = append(problems, kith.FieldError{Field: field, Code: code, Message: message})
	}
	for name, values := range query {
		switch {
		case len(values) > 1:
			refuse(name, "REPEATED", "must stand once")
		case name == "cursor":
			p.cursor = values[0]
		case name == "limit":
			n, err := strconv.Atoi(values[0])
			if err != nil || n < 1 || n > maxPage {
				refuse(name, "OUT_OF_RANGE", "must be a whole number from 1 to 100")
			}
			p.limit = n
		case slices.Contains(known, name):
			p.params.Set(name, values[0])
		default:
			refuse(name, "UNKNOWN_FIELD", "there is no parameter of this name here")
		}
	}
	slices.SortFunc(problems, func(a, b kith.FieldError) int {
		if a.Field < b.Field {
			return -1
		}
		return 1
	})
	return p, kith.InvalidFields(problems)
}
