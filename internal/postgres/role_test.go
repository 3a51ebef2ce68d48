package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// Timeouts of a role are meant for people. Idle connections in kith's pool, and the wait for the
// migration of another kith, must not be subject to them.
func TestPoolOverridesTimeoutsOfTheRole(t *testing.T) {
	url := pgtest.URL(t)
	owner := connect(t, url)
	_, err := owner.Exec(t.Context(), `create role kith_hasty superuser login;
		alter role kith_hasty set lock_timeout = 1;
		alter role kith_hasty set idle_session_timeout = 1`)
	expect.NoError(t, err)
	t.Cleanup(func() { dropRole(t, owner, "kith_hasty") })
	db := pgtest.Dataset(t, as(url, "kith_hasty"), postgres.Options{})
	for _, name := range []string{"lock_timeout", "idle_session_timeout"} {
		var value string
		expect.NoError(t, db.Pool().QueryRow(t.Context(), "show "+name).Scan(&value))
		if value != "0" {
			t.Errorf("%s is %s", name, value)
		}
	}
}

// A user may lack the right to use the existing schema, or to create one. The error names the missing right.
func TestMigrateNamesMissingRights(t *testing.T) {
	url := pgtest.URL(t)
	owner := connect(t, url)
	_, err := owner.Exec(t.Context(), "create role kith_poor login")
	expect.NoError(t, err)
	t.Cleanup(func() { dropRole(t, owner, "kith_poor") })
	poor, err := postgres.Open(t.Context(), as(url, "kith_poor"), postgres.Options{})
	expect.NoError(t, err)
	t.Cleanup(poor.Close)
	for _, first := range []string{"", "drop schema kith cascade"} {
		_, err := owner.Exec(t.Context(), first)
		expect.NoError(t, err)
		if err := poor.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "create schema") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("after %q: %v", first, err)
		}
	}
}

// as returns the connection string of another user.
func as(url, user string) string {
	return strings.Replace(url, "user=kith ", "user="+user+" ", 1)
}

// dropRole drops a role of the server, with its objects in the database of owner.
func dropRole(t *testing.T, owner *pgx.Conn, role string) {
	t.Helper()
	_, err := owner.Exec(context.WithoutCancel(t.Context()), "drop owned by "+role+"; drop role "+role)
	expect.NoError(t, err)
}
