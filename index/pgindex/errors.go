package pgindex

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"kith"
)

// The SQLSTATE codes that the driver acts on.
const (
	undefinedTable   = "42P01"
	deadlockDetected = "40P01"
	serialization    = "40001"
	queryCanceled    = "57014"
	tooManyClients   = "53300"
	classConnection  = "08"
	classShutdown    = "57P"
)

// code returns the SQLSTATE of an error, or "".
func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

func isNoRows(err error) bool { return errors.Is(err, pgx.ErrNoRows) }

// fault sorts an error into the kinds that callers know: context errors stay,
// a Postgres that is away becomes Unavailable, the rest is a defect.
func fault(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case kith.KindOf(err) != kith.Internal:
		return err
	case code(err) == queryCanceled:
		// The server's own statement_timeout: the time budget is over.
		return errors.Join(context.DeadlineExceeded, err)
	case isAway(err):
		return kith.Away("postgres", err)
	}
	return err
}

func isAway(err error) bool {
	if c := code(err); c != "" {
		return c == tooManyClients || strings.HasPrefix(c, classConnection) || strings.HasPrefix(c, classShutdown)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, puddle.ErrClosedPool) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || strings.Contains(err.Error(), "conn closed")
}
