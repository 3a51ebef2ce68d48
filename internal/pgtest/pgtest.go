// Package pgtest gives tests a real Postgres: a throw-away server made from
// the binaries of this machine, or fetched ones, started once for a test binary, and a fresh
// database for each test. A test that finds no Postgres fails; it never skips.
package pgtest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Schema is the schema that the search path of a test database names.
const Schema = "kith"

var (
	//nolint:gochecknoglobals // one server for all tests of a binary is the point of the package
	shared = sync.OnceValues(start)
	//nolint:gochecknoglobals // numbers the databases of that server
	serial atomic.Int64
)

// Pool returns a pool on a fresh, empty database whose search path is the
// empty schema [Schema]. Pool and database go when the test ends.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return open(t, URL(t))
}

// URL returns the connection string of a fresh, empty database as [Pool] has
// it, for a program that opens its own connections.
func URL(t testing.TB) string {
	t.Helper()
	server, err := shared()
	if err != nil {
		t.Fatalf("no Postgres for tests: %v", err)
	}
	return database(t, server)
}

// database creates a database that is dropped when the test ends, whoever is
// still connected to it.
func database(t testing.TB, s *Server) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", serial.Add(1))
	if err := s.exec("postgres", "CREATE DATABASE "+name); err != nil {
		t.Fatalf("creating a test database: %v", err)
	}
	if err := s.exec(name, "CREATE SCHEMA "+Schema); err != nil {
		t.Fatalf("creating the schema of a test database: %v", err)
	}
	t.Cleanup(func() {
		if err := s.prove(name); err != nil && s.running() {
			t.Errorf("noting what a test database was used for: %v", err)
		}
		// A server that the test stopped takes its databases with it.
		if err := s.exec("postgres", "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil && s.running() {
			t.Errorf("dropping a test database: %v", err)
		}
	})
	return s.dsn(name) + " search_path=" + Schema
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

// exec runs one statement on a connection of its own.
func (s *Server) exec(database, sql string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.dsn(database))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(ctx) //nolint:errcheck // the statement's own error says more
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}
