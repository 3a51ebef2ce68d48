package postgres_test

import (
	"context"
	"strings"
	"testing"

	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// TestSettingsOfTheRole gives a database times that are meant for people: connections
// that wait for long, which ours do, are not cut by them.
func TestSettingsOfTheRole(t *testing.T) {
	url := pgtest.URL(t)
	_, err := connect(t, url).Exec(t.Context(), `do $$ begin
		execute format('alter database %I set lock_timeout = 1', current_database());
		execute format('alter database %I set idle_session_timeout = 1', current_database());
	end $$`)
	check(t, err)
	db := pgtest.Directory(t, url, postgres.Options{})
	for _, name := range []string{"lock_timeout", "idle_session_timeout"} {
		var value string
		check(t, db.Pool().QueryRow(t.Context(), "show "+name).Scan(&value))
		if value != "0" {
			t.Errorf("%s is %s", name, value)
		}
	}
}

// TestRightsThatLack migrates as a user who may not use the schema that is there, and then as one
// who may not create one: the error says what they need.
func TestRightsThatLack(t *testing.T) {
	url := pgtest.URL(t)
	owner := connect(t, url)
	_, err := owner.Exec(t.Context(), "create role kith_poor login")
	check(t, err)
	t.Cleanup(func() {
		if _, err := owner.Exec(context.WithoutCancel(t.Context()), "drop role kith_poor"); err != nil {
			t.Error(err)
		}
	})
	poor, err := postgres.Open(t.Context(), strings.Replace(url, "user=kith ", "user=kith_poor ", 1), postgres.Options{})
	check(t, err)
	t.Cleanup(poor.Close)
	for _, first := range []string{"", "drop schema kith cascade"} {
		_, err := owner.Exec(t.Context(), first)
		check(t, err)
		if err := poor.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "create schema") || strings.Contains(err.Error(), "\n") {
			t.Errorf("after %q: %v", first, err)
		}
	}
}
