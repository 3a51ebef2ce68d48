package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// A read whose connections Postgres resets is repeated once; a write is not.
func TestReadsAreRepeatedAfterAReset(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	pgtest.Load(t, db, record.People, person("P1", ""))
	other, err := pgx.Connect(t.Context(), url)
	expect.NoError(t, err)
	t.Cleanup(func() { _ = other.Close(t.Context()) })
	reset := func() {
		t.Helper()
		expect.NoError(t, db.Ping(t.Context())) // the pool has a connection
		_, err := other.Exec(t.Context(), "select pg_terminate_backend(pid, 5000) from pg_stat_activity "+
			"where datname = current_database() and pid <> pg_backend_pid()")
		expect.NoError(t, err)
	}
	reset()
	if n, err := db.Count(t.Context(), record.People); err != nil || n != 1 {
		t.Errorf("a value: %d, %v", n, err)
	}
	reset()
	if ids, err := db.IDs(t.Context(), record.People, 0, 10); err != nil || len(ids) != 1 {
		t.Errorf("rows: %v, %v", ids, err)
	}
	reset()
	if _, err := db.Querier().Exec(t.Context(), "update people set updated_at = now()"); err == nil {
		t.Error("a write was repeated")
	}
}
