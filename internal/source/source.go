// Package source fetches data about people from a JSON provider over HTTP ([Provider]) or a
// directory of NDJSON files ([Directory]). A caller's profile URL is only data: it is sent to
// the operator's provider, and never fetched.
package source

import (
	"context"
	"time"

	"kith"
)

// Record is one person as a source has them.
type Record struct {
	// Line is the person as a load file has them: one JSON object. Members that
	// a load file does not know may be among them, and ids mean nothing.
	Line []byte
	// AsOf is the day of the data; the zero time where the source does not say.
	AsOf time.Time
}

// Source has data about people.
type Source interface {
	// Fetch returns the person of a profile URL. Its errors are a *kith.Error:
	//
	//   - NotFound: the source does not know the profile.
	//   - RateLimited: it was asked too often; RetryAfter says when to ask again.
	//   - Unavailable or Timeout: it could not be asked; asking again makes sense.
	//   - Invalid: it answered with what cannot be used; asking again does not help.
	//
	// What a detail says may be shown to a caller: it tells nothing of the
	// provider's address, key or answer.
	Fetch(ctx context.Context, profileURL string) (Record, error)
	// Close lets go of what the source holds.
	Close()
}

// Codes of errors of a source.
const (
	CodeUnknown     = "PERSON_NOT_FOUND"
	CodeRateLimited = "SOURCE_RATE_LIMITED"
	CodeUnavailable = "SOURCE_UNAVAILABLE"
	CodeTimeout     = "SOURCE_TIMEOUT"
	CodeMalformed   = "SOURCE_MALFORMED"
	CodeTooLarge    = "SOURCE_TOO_LARGE"
	CodeRedirect    = "SOURCE_REDIRECT_REFUSED"
	CodeRefused     = "SOURCE_REFUSED"
)

func errUnknown() error {
	return kith.Errorf(kith.NotFound, CodeUnknown, "the source of fresh data knows nobody with this profile URL")
}

func errUnavailable(cause error) error {
	return &kith.Error{
		Kind: kith.Unavailable, Code: CodeUnavailable,
		Detail: "the source of fresh data cannot be asked at the moment", Cause: cause,
	}
}

func errTimeout(cause error) error {
	return &kith.Error{
		Kind: kith.Timeout, Code: CodeTimeout, Detail: "the source of fresh data did not answer in time",
		Cause: cause,
	}
}

func errMalformed(cause error) error {
	return &kith.Error{
		Kind: kith.Invalid, Code: CodeMalformed,
		Detail: "the source of fresh data answered with what cannot be read as a person", Cause: cause,
	}
}
