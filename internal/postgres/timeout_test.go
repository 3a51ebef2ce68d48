package postgres_test

import (
	"context"
	"errors"
	"testing"

	"kith"
	"kith/index/load"
	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// A statement that the server gives up is a time-out, as it is for a search.
func TestStatementsThatTakeTooLong(t *testing.T) {
	url := pgtest.URL(t)
	pgtest.Directory(t, url, postgres.Options{})
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

// Where nobody hears what became of a commit, the error says that the change may
// have been made; where it was rolled back for sure, it does not.
func TestCommitsOfWhichNothingIsHeard(t *testing.T) {
	db := pgtest.Directory(t, pgtest.URL(t), postgres.Options{})
	failed := errors.New("it failed")
	for name, tt := range map[string]struct {
		result  error
		cancel  bool
		perhaps bool
	}{
		"committed":                  {},
		"broken off at the commit":   {cancel: true, perhaps: true},
		"rolled back":                {result: failed},
		"rolled back and broken off": {result: failed, cancel: true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Write(ctx, func(context.Context, load.Tx) error {
			if tt.cancel {
				cancel()
			}
			return tt.result
		})
		cancel()
		if got := errors.Is(err, kith.ErrPerhapsDone); got != tt.perhaps || (err == nil) != (tt.result == nil && !tt.cancel) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
