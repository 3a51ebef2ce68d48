package pgtest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres"
)

// database creates an empty database. It is dropped when the test ends, even with open connections.
func database(t testing.TB, s *Server) string {
	t.Helper()
	template, err := s.empty()
	if err != nil {
		t.Fatalf("no database for tests: %v", err)
	}
	return copied(t, s, template)
}

// copied is database for a given template.
func copied(t testing.TB, s *Server, template string) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", s.databases.Add(1))
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

// makeEmpty creates the template of databases with an empty schema.
func (s *Server) makeEmpty() (string, error) {
	const name = "template_empty"
	if err := s.create(name, "template1"); err != nil {
		return "", err
	}
	return name, s.exec(name, "CREATE SCHEMA "+Schema)
}

// makeTables creates the template of databases with the tables of a dataset.
func (s *Server) makeTables() (string, error) {
	const name = "template_tables"
	empty, err := s.empty()
	if err != nil {
		return "", err
	}
	if err := s.create(name, empty); err != nil {
		return "", err
	}
	ctx := context.Background()
	db, err := postgres.Open(ctx, s.database(name), postgres.Options{})
	if err != nil {
		return "", err
	}
	defer db.Close()
	return name, db.Migrate(ctx)
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
