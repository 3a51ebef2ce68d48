package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"kith"
)

// Error is a failure reported by the server.
type Error struct {
	// Type is the kind of failure, such as validation_error; Code is a stable name, such as CURSOR_MISMATCH.
	Type  string `json:"type"`
	Title string `json:"title"`
	// Status is the HTTP status, also in the error event of a stream.
	Status int `json:"status"`
	// Detail says what was wrong and what to do.
	Detail string `json:"detail"`
	Code   string `json:"code"`
	// Retryable reports whether the same request may succeed later.
	Retryable bool `json:"retryable"`
	// Fields are all problems of the request.
	Fields []kith.FieldError `json:"errors"`
	// Candidates are the companies of a name, if several have it.
	Candidates []Candidate `json:"candidates,omitempty"`

	// RequestID names the request in the log of the server.
	RequestID string `json:"-"`
	// RetryAfter is how long to wait before a retry; 0 if the server does not say.
	RetryAfter time.Duration `json:"-"`
}

// Candidate is one of several companies of a name.
type Candidate struct {
	ID        int64         `json:"id"`
	Name      string        `json:"name"`
	Domain    string        `json:"domain"`
	SocialURL string        `json:"social_url"`
	Industry  string        `json:"industry"`
	Location  kith.Location `json:"location"`
}

// String describes the candidate in one line.
func (c Candidate) String() string {
	parts := []string{c.Name, cmp.Or(c.Domain, c.SocialURL), c.Industry, c.Location.City, c.Location.Country}
	known := slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return fmt.Sprintf("%d: %s", c.ID, strings.Join(known, ", "))
}

// Error returns the detail, the problems and the candidates in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Detail)
	for _, f := range e.Fields {
		fmt.Fprintf(&b, "; %s: %s", f.Field, f.Message)
	}
	for _, c := range e.Candidates {
		b.WriteString("; " + c.String())
	}
	return b.String()
}

// maxFailure is the maximum size of a failure, in bytes.
const maxFailure = 1 << 20

// failure reads the error of an answer; for an answer from elsewhere, such as a proxy, it uses the status.
func failure(resp *http.Response) error {
	var answer struct {
		Error    *Error   `json:"error"`
		Metadata Metadata `json:"metadata"`
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxFailure))
	if err != nil || json.Unmarshal(text, &answer) != nil || answer.Error == nil {
		answer.Error = &Error{
			Status: resp.StatusCode, Title: resp.Status, Detail: "the server answered " + resp.Status,
			Retryable: resp.StatusCode >= http.StatusInternalServerError,
		}
	}
	e := answer.Error
	e.RequestID = answer.Metadata.RequestID
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
