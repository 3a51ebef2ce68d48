//go:build unix

package embedded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errUnresponsive is the error for a server that runs but does not answer, for example because its processes were
// stopped. kith does not kill it: somebody may need it.
var errUnresponsive = errors.New("it runs but does not respond: resume it with kill -CONT if it was stopped, or end " +
	"it with kill -9; the next start recovers it")

// silence is how long a running server may take to answer.
const silence = time.Minute

// ensureDatabase connects, and creates the database of kith if missing.
func (c cluster) ensureDatabase(ctx context.Context) error {
	patient, cancel := context.WithTimeout(ctx, c.silence)
	defer cancel()
	err := c.tryDatabase(patient)
	if err != nil && patient.Err() != nil && ctx.Err() == nil {
		return errUnresponsive
	}
	return err
}

func (c cluster) tryDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, c.url("kith"))
	if err == nil {
		return conn.Close(ctx)
	}
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); !ok || pgErr.Code != "3D000" {
		return fmt.Errorf("connect: %w", err)
	}
	conn, err = pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "create database kith"); err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	return nil
}

// recovers reports whether the server says that it is starting up or recovering.
func recovers(err error) bool {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pgErr.Code == "57P03"
}
