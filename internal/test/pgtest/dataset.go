package pgtest

import (
	"path/filepath"
	"strings"
	"testing"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/access/keys"
	"kith/internal/imports/loader"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/expect"
)

// NewDataset opens the dataset of a fresh database; see [Dataset].
func NewDataset(t testing.TB) *postgres.DB {
	t.Helper()
	return Dataset(t, MigratedURL(t), postgres.Options{})
}

// Dataset opens a dataset in a database from [URL] or [MigratedURL], and creates its tables, unless they exist, and its
// unsealed keys. It is closed when the test ends.
func Dataset(t testing.TB, url string, opts postgres.Options) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, opts)
	expect.NoError(t, err)
	t.Cleanup(db.Close)
	expect.NoError(t, db.Migrate(t.Context()))
	keeper, err := keys.Open(t.Context(), db.Keys(), nil)
	expect.NoError(t, err)
	expect.NoError(t, db.UseKeys(keeper.Ring()))
	return db
}

// Load loads lines into a dataset; the test fails if a line is rejected.
func Load(t testing.TB, db *postgres.DB, kind record.Kind, lines ...string) loader.Stats {
	t.Helper()
	return LoadOwned(t, db, record.Everyone, loader.Options{Kind: kind}, lines...)
}

// LoadOwned loads lines for an owner, with options.
func LoadOwned(t testing.TB, db *postgres.DB, owner string, opts loader.Options, lines ...string) loader.Stats {
	t.Helper()
	load := loader.New(db)
	load.Relations = db.Network()
	opts.Stdin, opts.Rejects = strings.NewReader(strings.Join(lines, "\n")), filepath.Join(t.TempDir(), "rejects")
	stats, err := load.File(t.Context(), record.OwnedBy(owner), "-", opts)
	if err != nil || stats.Rejected > 0 {
		t.Fatal(stats, err)
	}
	return stats
}

// Exec runs a statement on the tables of a dataset.
func Exec(t testing.TB, db *postgres.DB, sql string, args ...any) {
	t.Helper()
	if _, err := db.Pool().Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

// AwaitBlocked returns when a statement on the database of a dataset waits for a lock.
func AwaitBlocked(t testing.TB, db *postgres.DB) {
	t.Helper()
	AwaitAllBlocked(t, db, 1)
}

// AwaitAllBlocked returns when n statements on the database of a dataset wait for locks.
func AwaitAllBlocked(t testing.TB, db *postgres.DB, n int) {
	t.Helper()
	for waiting := 0; waiting < n; {
		expect.NoError(t, db.Pool().QueryRow(t.Context(), "select count(*) from pg_stat_activity "+
			"where wait_event_type = 'Lock' and datname = current_database()").Scan(&waiting))
	}
}

// App creates an app.
func App(t testing.TB, db *postgres.DB, name string) auth.App {
	t.Helper()
	app, _, err := auth.New(db.Auth(), auth.Config{}).CreateApp(t.Context(), name)
	expect.NoError(t, err)
	return app
}

// User signs in a user of an app and creates the user if necessary.
func User(t testing.TB, db *postgres.DB, app auth.App, id, email string) kith.Actor {
	t.Helper()
	svc := auth.New(db.Auth(), auth.Config{})
	issued, err := svc.Issue(t.Context(), app, auth.Identity{ExternalID: id, Email: email})
	expect.NoError(t, err)
	actor, err := svc.Verify(t.Context(), issued.Token)
	expect.NoError(t, err)
	return actor
}
