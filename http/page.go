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

// Limits of lists paged by query parameters.
const (
	defaultPage = 25
	maxPage     = 100
)

// page is the requested part of a list.
type page struct {
	cursor string
	limit  int
	// chosen are the values of the other parameters in the request.
	chosen map[string]string
}

// choice is a parameter with fixed values or a check.
type choice struct {
	name   string
	values []string
	check  func(value string) (code, message string)
}

func choiceOf[T ~string](name string, values []T) choice {
	c := choice{name: name}
	for _, v := range values {
		c.values = append(c.values, string(v))
	}
	return c
}

// pageOf reads the query of a paged list: cursor, limit and choices. It reports every problem,
// including unknown and repeated parameters.
func pageOf(r *http.Request, choices ...choice) (page, error) {
	p := page{limit: defaultPage, chosen: map[string]string{}}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return p, kith.Errorf(kith.Malformed, "QUERY_MALFORMED",
			"the query of the address cannot be read; percent-encode its values")
	}
	var problems []kith.FieldError
	for name, values := range query {
		if code, message := p.read(name, values, choices); code != "" {
			problems = append(problems, kith.FieldError{Field: name, Code: code, Message: message})
		}
	}
	slices.SortFunc(problems, func(a, b kith.FieldError) int { return strings.Compare(a.Field, b.Field) })
	return p, kith.InvalidFields(problems)
}

// read reads one parameter, or reports its problem.
func (p *page) read(name string, values []string, choices []choice) (code, message string) {
	at := slices.IndexFunc(choices, func(c choice) bool { return c.name == name })
	switch {
	case at < 0 && name != "cursor" && name != "limit":
		known := []string{"cursor", "limit"}
		for _, c := range choices {
			known = append(known, c.name)
		}
		return "UNKNOWN_FIELD", "is not a known parameter; known are " + strings.Join(known, ", ")
	case len(values) > 1:
		return "REPEATED", "must stand once"
	case name == "cursor":
		p.cursor = values[0]
	case name == "limit":
		n, err := strconv.Atoi(values[0])
		if err != nil || n < 1 || n > maxPage {
			return "OUT_OF_RANGE", fmt.Sprintf("must be a whole number from 1 to %d", maxPage)
		}
		p.limit = n
	case choices[at].check != nil:
		p.chosen[name] = values[0]
		return choices[at].check(values[0])
	case !slices.Contains(choices[at].values, values[0]):
		return "INVALID_VALUE", "must be " + strict.OneOf(choices[at].values)
	default:
		p.chosen[name] = values[0]
	}
	return "", ""
}
