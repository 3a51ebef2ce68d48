package operation_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// files are migrations by their names.
func files(sqlByName map[string]string) fstest.MapFS {
	all := fstest.MapFS{}
	for name, sql := range sqlByName {
		all["migrations/"+name] = &fstest.MapFile{Data: []byte(sql)}
	}
	return all
}

// openEmpty opens a dataset without tables.
func openEmpty(t *testing.T) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), pgtest.URL(t), postgres.Options{Schema: "empty"})
	expect.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

// A database with later migrations gets earlier ones from another branch.
func TestMigrationsFillGaps(t *testing.T) {
	db := openEmpty(t)
	first, third := "create table a (n int)", "create table c (n int)"
	expect.NoError(
		t,
		db.Operation().ApplyFiles(t.Context(), files(map[string]string{"0001_a.sql": first, "0003_c.sql": third})),
	)
	all := files(map[string]string{"0001_a.sql": first, "0002_b.sql": "create table b (n int)", "0003_c.sql": third})
	for range 2 {
		expect.NoError(t, db.Operation().ApplyFiles(t.Context(), all))
	}
	_, err := db.Pool().Exec(t.Context(), "select from a, b, c")
	expect.NoError(t, err)
}

// A migration that fails leaves the database as it was.
func TestFailedMigrationsLeaveNothing(t *testing.T) {
	db := openEmpty(t)
	err := db.Operation().ApplyFiles(t.Context(), files(map[string]string{
		"0001_a.sql": "create table a (n int)",
		"0002_b.sql": "no",
	}))
	if err == nil || !strings.Contains(err.Error(), "0002_b.sql") {
		t.Errorf("got %v", err)
	}
	_, err = db.Pool().Exec(t.Context(), "create schema empty")
	expect.NoError(t, err)
}
