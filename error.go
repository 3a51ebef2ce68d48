package kith

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// Kind classifies an [Error]. The HTTP layer maps each kind to one status and one `type` of the error envelope.
type Kind int

// The kinds of error.
const (
	Internal     Kind = iota // a defect or an unforeseen fault: 500
	Malformed                // cannot be read at all: 400
	Invalid                  // understood and refused: 422
	Unauthorized             // no valid token or key: 401
	Forbidden                // not the caller's to do: 403
	NotFound                 // no such thing, or not the caller's to see: 404
	Conflict                 // at odds with the present state: 409
	Gone                     // was there, is no more: 410
	RateLimited              // too many requests: 429
	Unavailable              // the engine or the database is away: 503
	Timeout                  // over the time budget: 504
	Suppressed               // kept back at the wish of the person it is about: 451
)

// Error is a failure that a caller may see. Detail and Fields are safe to show; the wrapped cause is for the log only.
type Error struct {
	Kind Kind
	// Code is a stable upper-case name such as CURSOR_MISMATCH.
	Code string
	// Detail says what was wrong and what to do, in a sentence.
	Detail string
	// Fields lists every problem of a refused request.
	Fields []FieldError
	// RetryAfter is how long to wait before a retry; 0 if unknown.
	RetryAfter time.Duration
	// Cause is the underlying error, or nil.
	Cause error
}

// FieldError is one problem with one member of a request.
type FieldError struct {
	// Field is a path such as "filters.companySize" or "people[3].score".
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Errorf returns an error of a kind with a formatted detail. A %w verb sets the cause and puts
// its text into the detail: use it only for causes that a caller may see.
func Errorf(kind Kind, code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Code: code, Detail: err.Error(), Cause: errors.Unwrap(err)}
}

// InvalidFields returns the 422 for a list of field problems, or nil for an empty list.
func InvalidFields(fields []FieldError) error {
	if len(fields) == 0 {
		return nil
	}
	return &Error{
		Kind: Invalid, Code: "VALIDATION_FAILED", Detail: "the request has invalid fields", Fields: fields,
	}
}

// ErrMaybeDone is in the chain of an error after a change that was made, or may have been: a
// retry might repeat the change.
var ErrMaybeDone = errors.New("the change may have been made")

// MaybeDone adds [ErrMaybeDone] to an error; nil stays nil.
func MaybeDone(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrMaybeDone, err)
}

// Safely runs f and returns its panic as an error. Use it in goroutines started for a request,
// whose panic would end the process.
func Safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

// Unreachable returns the error for an unreachable backing service, named by what ("elasticsearch", "postgres").
func Unreachable(what string, cause error) *Error {
	return &Error{
		Kind: Unavailable, Code: strings.ToUpper(what) + "_UNAVAILABLE",
		Detail: what + " cannot be reached", RetryAfter: time.Second, Cause: cause,
	}
}

// ErrDiskFull is in the chain of an error of a backing service whose disk is full. Unlike an
// outage, it lasts until somebody makes room.
var ErrDiskFull = errors.New("its disk is full")

// DiskFull returns the error for a backing service whose disk is full, named by what as in [Unreachable].
func DiskFull(what string, cause error) *Error {
	return &Error{
		Kind: Unavailable, Code: strings.ToUpper(what) + "_DISK_FULL",
		Detail: what + " has no disk space left", RetryAfter: 30 * time.Second,
		Cause: fmt.Errorf("%w: %w", ErrDiskFull, cause),
	}
}

// Error returns the detail, the fields and the cause in one line, for logs.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Detail)
	for _, f := range e.Fields {
		fmt.Fprintf(&b, "; %s: %s", f.Field, f.Message)
	}
	if e.Cause != nil && !strings.Contains(e.Detail, e.Cause.Error()) {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of the first [Error] in err's chain, else Internal.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}
