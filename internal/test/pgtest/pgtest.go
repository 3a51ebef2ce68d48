// Package pgtest provides a real Postgres for tests: a temporary server from installed or downloaded binaries, one for
// each go test command, and a fresh database for each test. Tests of several packages use the server at a time, so what
// they read about it, such as pg_stat_activity, must name the database. Without Postgres, a test fails; it never skips.
package pgtest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/internal/postgres"
	"kith/internal/test/effort"
)

// Schema is the schema in the search path of a test database.
const Schema = "kith"

// shared is the server for all tests without one of their own.
var shared = sync.OnceValues(join)

// Pool returns a pool for a fresh database. Its search path is the empty schema [Schema].
// Pool and database are removed when the test ends.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return open(t, URL(t))
}

// URL returns the connection string of a fresh database as in [Pool], for a program that opens its own connections.
func URL(t testing.TB) string {
	t.Helper()
	effort.Within(t, startTimeout)
	server, err := shared()
	if err != nil {
		t.Fatalf("no Postgres for tests: %v", err)
	}
	return database(t, server)
}

// MigratedURL returns the connection string of a fresh database that already has the tables of a dataset in [Schema].
// This takes a tenth of the time of creating them in a database from [URL].
func MigratedURL(t testing.TB) string {
	t.Helper()
	return CopyURL(t, "tables", func(url string) error {
		ctx := context.Background()
		db, err := postgres.Open(ctx, url, postgres.Options{})
		if err != nil {
			return err
		}
		defer db.Close()
		return db.Migrate(ctx)
	})
}

// CopyURL returns the connection string of a fresh database that is a copy of a template. All packages of a go test
// command share the templates; the first to ask for one has fill make it in a database as in [URL].
func CopyURL(t testing.TB, template string, fill func(url string) error) string {
	t.Helper()
	effort.Within(t, startTimeout)
	server, err := shared()
	if err != nil {
		t.Fatalf("no Postgres for tests: %v", err)
	}
	return copied(t, server, template, fill)
}

func open(t testing.TB, dsn string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(context.Background(), dsn)
	if err != nil {
		t.Fatalf("connecting to a test database: %v", err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// exec runs one statement on a new connection.
func (s *Server) exec(database, sql string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.dsn(database))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // the statement's own error says more
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}
