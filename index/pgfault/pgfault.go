// Package pgfault classifies Postgres errors for all packages that use Postgres.
package pgfault

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"kith"
)

// The SQLSTATE codes that callers handle.
const (
	UndefinedTable   = "42P01"
	DeadlockDetected = "40P01"
	Serialization    = "40001"
	UniqueViolation  = "23505"

	queryCanceled   = "57014"
	tooManyClients  = "53300"
	outOfMemory     = "53200"
	diskFull        = "53100"
	readOnly        = "25006" // the former primary is now a standby
	classConnection = "08"
	classShutdown   = "57P"
)

// Code returns the SQLSTATE of an error, or "".
func Code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// Classify maps an error to the kinds that callers know. If Postgres is unreachable, overloaded or read-only it
// returns a *kith.Error of kind Unavailable. The same goes for a full disk; that error is also a [kith.ErrDiskFull]. A
// statement over its time limit becomes context.DeadlineExceeded. A nil error, a *kith.Error and context errors pass
// unchanged, and so do all others, which are defects.
func Classify(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if _, sorted := errors.AsType[*kith.Error](err); sorted {
		return err
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	switch {
	case Code(err) == diskFull:
		return kith.DiskFull("postgres", err)
	case connecting: // comes first: giving up on a silent server matches both cases
		return kith.Unreachable("postgres", connectError(err))
	case errors.Is(err, context.DeadlineExceeded):
		return err
	case Code(err) == queryCanceled: // the server's own statement_timeout
		return explained{"it exceeded the statement timeout: " + err.Error(), []error{context.DeadlineExceeded, err}}
	case Code(err) == readOnly:
		return kith.Unreachable("postgres", explained{err.Error() +
			"; it is a standby, or was made read-only: name the primary in --database-url", []error{err}})
	case isBroken(err):
		return kith.Unreachable("postgres", err)
	}
	return err
}

// IsReset reports whether a connection broke while a statement was running. The other connections of a pool have
// probably ended, too. Whether the statement took effect is unknown, so only reads may be repeated.
func IsReset(err error) bool {
	if _, connecting := errors.AsType[*pgconn.ConnectError](err); connecting || err == nil ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	c := Code(err)
	return isBroken(err) && c != tooManyClients && c != outOfMemory && !errors.Is(err, puddle.ErrClosedPool)
}

// isBroken reports whether the connection failed, not the statement, or the server is overloaded or stopping.
func isBroken(err error) bool {
	switch c := Code(err); c {
	case "":
	case tooManyClients, outOfMemory:
		return true
	default:
		return strings.HasPrefix(c, classConnection) || strings.HasPrefix(c, classShutdown)
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	for _, target := range []error{
		puddle.ErrClosedPool, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, os.ErrDeadlineExceeded, syscall.EPIPE,
		syscall.ECONNRESET,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	// pgx reports the use of a freshly broken connection as plain text.
	return strings.Contains(err.Error(), "conn closed")
}
