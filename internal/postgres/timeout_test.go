package postgres_test

import (
	"context"
	"errors"
	"testing"

	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// A statement that the server gives up is a time-out, as it is for a search.
func TestStatementsThatTakeTooLong(t *testing.T) {
	url := pgtest.URL(t)
	openDB(t, url, postgres.Options{})
	hasty, err := postgres.Open(t.Context(), url+" statement_timeout=50ms", postgres.Options{})
	check(t, err)
	t.Cleanup(hasty.Close)
	tx, err := connect(t, url).Begin(t.Context())
	check(t, err)
	_, err = tx.Exec(t.Context(), "lock table kith.people")
	check(t, err)
	if _, err := hasty.Identify(t.Context(), "ann"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
