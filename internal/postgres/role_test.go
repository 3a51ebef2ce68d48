package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// TestSettingsOfTheRole gives a role times that are meant for people: connections
// that wait in kith's pool, and whoever waits for another kith to migrate, outlive them.
func TestSettingsOfTheRole(t *testing.T) {
	url := pgtest.URL(t)
	owner := connect(t, url)
	_, err := owner.Exec(t.Context(), `create role kith_hasty superuser login;
		alter role kith_hasty set lock_timeout = 1;
		alter role kith_hasty set idle_session_timeout = 1`)
	check(t, err)
	t.Cleanup(func() { dropRole(t, owner, "kith_hasty") })
	db := pgtest.Dataset(t, as(url, "kith_hasty"), postgres.Options{})
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
	t.Cleanup(func() { dropRole(t, owner, "kith_poor") })
	poor, err := postgres.Open(t.Context(), as(url, "kith_poor"), postgres.Options{})
	check(t, err)
	t.Cleanup(poor.Close)
	for _, first := range []string{"", "drop schema kith cascade"} {
		_, err := owner.Exec(t.Context(), first)
		check(t, err)
		if err := poor.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "create schema") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("after %q: %v", first, err)
		}
	}
}

// as is the connection string of another user.
func as(url, user string) string {
	return strings.Replace(url, "user=kith ", "user="+user+" ", 1)
}

// dropRole drops a role, which is the server's, with what it made in the database of owner.
func dropRole(t *testing.T, owner *pgx.Conn, role string) {
	t.Helper()
	_, err := owner.Exec(context.WithoutCancel(t.Context()), "drop owned by "+role+"; drop role "+role)
	check(t, err)
}
