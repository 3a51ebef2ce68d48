package pgtest

import (
	"testing"

	"kith/internal/postgres"
)

// Directory opens a directory in a database of [URL] and makes its tables. It is
// closed when the test ends.
func Directory(t testing.TB, url string, opts postgres.Options) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}
