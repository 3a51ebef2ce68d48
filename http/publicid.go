package http

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"kith"
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
	text := chi.URLParam(p.request, name)
	if p.request.URL.RawPath != "" {
		// Only then the router matched the path as it came; else it is decoded
		// already, and must not be so twice.
		if plain, err := url.PathUnescape(text); err == nil {
			text = plain
		}
	}
	id, err := p.codec.Open(kind, name, text)
	if e, ok := errors.AsType[*kith.Error](err); ok {
		p.problems = append(p.problems, e.Fields...)
	}
	return id
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
