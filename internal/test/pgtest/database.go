package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/test/effort"
	"kith/internal/test/leash"
)

// database creates a database with an empty schema. It is dropped when the test ends, even with open connections.
func database(t testing.TB, s *Server) string {
	t.Helper()
	return copied(t, s, "empty", func(string) error { return nil })
}

// copied is database for a copy of a template, which fill makes unless it exists.
func copied(t testing.TB, s *Server, template string, fill func(url string) error) string {
	t.Helper()
	effort.Deadline(t)
	template, err := s.template(template, fill)
	if err != nil {
		t.Fatalf("no template for test databases: %v", err)
	}
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), s.databases.Add(1))
	if err := s.create(name, template); err != nil {
		t.Fatalf("creating a test database: %v", err)
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
	return s.database(name)
}

// database returns the connection string of a database for a test.
func (s *Server) database(name string) string { return s.dsn(name) + " search_path=" + Schema }

// template returns the name of the database of a template, which fill makes unless it exists.
func (s *Server) template(name string, fill func(url string) error) (string, error) {
	database := "template_" + name
	return database, leash.Once(s.dir, database, func(string) error {
		if err := errors.Join(s.exec("postgres", "DROP DATABASE IF EXISTS "+database+" WITH (FORCE)"),
			s.create(database, "template1"), s.exec(database, "CREATE SCHEMA "+Schema)); err != nil {
			return err
		}
		return fill(s.database(database))
	})
}

// create creates a database by copying the files of a template. Postgres's default,
// writing all pages to the log, takes four times as long.
func (s *Server) create(name, template string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.dsn("postgres"))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // the statement's own error says more
	sql := "CREATE DATABASE " + name + " TEMPLATE " + template
	if hasStrategies(conn.PgConn().ParameterStatus("server_version")) {
		sql += " STRATEGY file_copy"
	}
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

// hasStrategies reports whether the server supports a choice of strategy.
func hasStrategies(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	return err == nil && n >= 15
}
