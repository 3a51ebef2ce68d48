// Package source fetches data about people from a JSON provider over HTTP ([Provider]) or a folder of NDJSON files
// ([Directory]). It sends a caller's profile URL to the operator's provider as data, and never fetches it.
package source

import (
	"context"
	"time"

	"kith"
)

// Record is a source's data about one person.
type Record struct {
	// Line is the person as a line of a load file: one JSON object. It may have unknown members, and ids are
	// meaningless.
	Line []byte
	// AsOf is the day of the data; zero if the source does not say.
	AsOf time.Time
}

// Source has data about people.
type Source interface {
	// Fetch returns the person with a profile URL. Its errors are a *kith.Error:
	//
	//   - NotFound: the source does not know the profile.
	//   - RateLimited: it was asked too often; RetryAfter says when to ask again.
	//   - Unavailable or Timeout: it could not answer; asking again makes sense.
	//   - Invalid: its answer is unusable; asking again does not help.
	//
	// Details may be shown to callers: they reveal nothing about the provider's address, key or answer.
	Fetch(ctx context.Context, profileURL string) (Record, error)
	// Close releases the resources of the source.
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
	return kith.Errorf(kith.NotFound, CodeUnknown, "the data source has no person with this profile URL")
}

func errUnavailable(cause error) error {
	return &kith.Error{
		Kind: kith.Unavailable, Code: CodeUnavailable,
		Detail: "the data source cannot be reached", Cause: cause,
	}
}

func errTimeout(cause error) error {
	return &kith.Error{
		Kind: kith.Timeout, Code: CodeTimeout, Detail: "the data source did not respond in time", Cause: cause,
	}
}

func errMalformed(cause error) error {
	return &kith.Error{
		Kind: kith.Invalid, Code: CodeMalformed,
		Detail: "the data source responded with an unreadable person", Cause: cause,
	}
}
