package http

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/internal/access/publicid"
	"kith/query/analysis"
)

// pathIDs reads the identifiers in a request's path and collects their problems.
type pathIDs struct {
	request  *http.Request
	codec    *publicid.Codec
	problems []kith.FieldError
}

func newPathIDs(r *http.Request) *pathIDs {
	return &pathIDs{request: r, codec: callerFrom(r.Context()).dataset.IDs}
}

// open returns the row of the identifier in a path parameter.
func (p *pathIDs) open(kind publicid.Kind, name string) int64 {
	id, err := p.codec.Open(kind, name, pathText(p.request, name))
	if e, ok := errors.AsType[*kith.Error](err); ok {
		p.problems = append(p.problems, e.Fields...)
	}
	return id
}

// pathID returns the caller, and the row of the identifier at the end of the path.
func pathID(r *http.Request, kind publicid.Kind) (c caller, id int64, err error) {
	ids := newPathIDs(r)
	id = ids.open(kind, "id")
	return callerFrom(r.Context()), id, ids.with(nil)
}

// pathText returns a path parameter, decoded.
func pathText(r *http.Request, name string) string {
	text := chi.URLParam(r, name)
	if r.URL.RawPath != "" {
		// Only then did the router match the encoded path. Otherwise the text is decoded already.
		if plain, err := url.PathUnescape(text); err == nil {
			return plain
		}
	}
	return text
}

// with adds the problems of the identifiers, of which nil has none, to those of the request. An error about anything
// other than fields takes precedence.
func (p *pathIDs) with(err error) error {
	if p == nil {
		return err
	}
	e, ok := errors.AsType[*kith.Error](err)
	if err != nil && (!ok || len(e.Fields) == 0) {
		return err
	}
	problems := p.problems
	if ok {
		problems = append(problems, e.Fields...)
	}
	return kith.InvalidFields(problems)
}

// pathNumber reads the number with a name in a request's path; what says what it identifies. It accepts only the
// canonical form, so that each resource has one address.
func pathNumber(r *http.Request, name, what string) (int64, error) {
	text := chi.URLParam(r, name)
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != text {
		return 0, kith.InvalidFields([]kith.FieldError{{
			Field: name, Code: "INVALID_ID", Message: "must be the id of " + what,
		}})
	}
	return id, nil
}

// findPerson returns the person in a request's path: an id, e-mail address or profile URL.
func findPerson(r *http.Request) (int64, error) {
	c, text := callerFrom(r.Context()), pathText(r, "id")
	if kind, _ := analysis.Identifier(text); kind != analysis.EmailIdentifier && kind != analysis.ProfileIdentifier {
		_, err := pathNumber(r, "id", "a person, an e-mail address or a profile URL, the latter percent-encoded")
		if err != nil {
			return 0, err
		}
	}
	return c.dataset.Network.Named(r.Context(), c.viewer(), text)
}
