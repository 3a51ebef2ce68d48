package postgres_test

import (
	"context"
	"errors"
	"testing"

	"kith"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// A statement that the server cancels returns a timeout, for searches and other calls.
func TestStatementTimeoutIsATimeout(t *testing.T) {
	url := pgtest.MigratedURL(t)
	pgtest.Dataset(t, url, postgres.Options{})
	hasty, err := postgres.Open(t.Context(), url+" statement_timeout=1s", postgres.Options{})
	expect.NoError(t, err)
	t.Cleanup(hasty.Close)
	tx, err := connect(t, url).Begin(t.Context())
	expect.NoError(t, err)
	_, err = tx.Exec(t.Context(), "lock table kith.people")
	expect.NoError(t, err)
	if _, err := hasty.Identify(t.Context(), kith.Operator(), "ann"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want DeadlineExceeded", err)
	}
}

// The timeout for other statements applies neither to a migration nor to the wait for another's migration.
func TestMigrationsIgnoreTheStatementTimeout(t *testing.T) {
	url := pgtest.MigratedURL(t)
	pgtest.Dataset(t, url, postgres.Options{})
	hasty, err := postgres.Open(t.Context(), url+" statement_timeout=1s", postgres.Options{})
	expect.NoError(t, err)
	t.Cleanup(hasty.Close)
	other := connect(t, url)
	_, err = other.Exec(t.Context(), "select pg_advisory_lock(x'6b697468'::int, 0)") // as a migration does
	expect.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- hasty.Migrate(t.Context()) }()
	for waited := false; !waited; {
		expect.NoError(t,
			other.QueryRow(t.Context(), "select exists (select from pg_stat_activity where wait_event = 'advisory' "+
				"and clock_timestamp() - query_start > '1200ms' and datname = current_database())").Scan(&waited))
		select {
		case err := <-done:
			t.Fatalf("the migration did not wait: %v", err)
		default:
		}
	}
	_, err = other.Exec(t.Context(), "select pg_advisory_unlock_all()")
	expect.NoError(t, err)
	expect.NoError(t, <-done)
}

// If the outcome of a commit is unknown, the error says that the change may have been made. After a
// certain rollback it does not.
func TestUncertainCommitsAreReported(t *testing.T) {
	db := pgtest.NewDataset(t)
	failed := errors.New("it failed")
	for name, tt := range map[string]struct {
		result  error
		cancel  bool
		perhaps bool
	}{
		"committed":                {},
		"canceled at the commit":   {cancel: true, perhaps: true},
		"rolled back":              {result: failed},
		"rolled back and canceled": {result: failed, cancel: true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Write(ctx, record.ForEveryone(), func(context.Context, record.Tx) error {
			if tt.cancel {
				cancel()
			}
			return tt.result
		})
		cancel()
		if got := errors.Is(err, kith.ErrMaybeDone); got != tt.perhaps || (err == nil) != (tt.result == nil &&
			!tt.cancel) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
