package http

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/index/analysis"
	"kith/internal/publicid"
)

// pathIDs reads the identifiers in the path of a request and collects what is
// wrong with them.
type pathIDs struct {
	request  *http.Request
	codec    *publicid.Codec
	problems []kith.FieldError
}

func idsOf(r *http.Request) *pathIDs {
	return &pathIDs{request: r, codec: callerFrom(r.Context()).directory.IDs}
}

// open returns the row that the identifier at a place of the path names.
func (p *pathIDs) open(kind publicid.Kind, name string) int64 {
	id, err := p.codec.Open(kind, name, pathText(p.request, name))
	if e, ok := errors.AsType[*kith.Error](err); ok {
		p.problems = append(p.problems, e.Fields...)
	}
	return id
}

// pathText is what stands at a place of the path.
func pathText(r *http.Request, name string) string {
	text := chi.URLParam(r, name)
	if r.URL.RawPath != "" {
		// Only then the router matched the path as it came; else it is decoded
		// already, and must not be so twice.
		if plain, err := url.PathUnescape(text); err == nil {
			return plain
		}
	}
	return text
}

// with adds what is wrong with the identifiers to what else is wrong with the
// request. An error that is not about its fields comes first.
func (p *pathIDs) with(err error) error {
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

// numberOf reads the number in the path of a request; what says whose id it is.
// A number is written in one way, so that one thing has one address.
func numberOf(r *http.Request, what string) (int64, error) {
	text := chi.URLParam(r, "id")
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != text {
		return 0, kith.InvalidFields([]kith.FieldError{{
			Field: "id", Code: "INVALID_ID",
			Message: "must be the id of " + what,
		}})
	}
	return id, nil
}

// personOf reads the person in the path of a request, who is named by id, e-mail address or
// profile URL.
func personOf(r *http.Request) (int64, error) {
	c, text := callerFrom(r.Context()), pathText(r, "id")
	if kind, _ := analysis.Identifier(text); kind != analysis.EmailIdentifier && kind != analysis.ProfileIdentifier {
		if _, err := numberOf(r, "a person, an e-mail address or a profile URL, the latter percent-encoded"); err != nil {
			return 0, err
		}
	}
	return c.directory.Network.Named(r.Context(), c.actor, text)
}
