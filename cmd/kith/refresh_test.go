package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"kith"
)

// If Postgres is away or too slow when a server starts to work on tasks, the server waits and keeps running.
func TestServerWaitsForPostgres(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		away bool
	}{
		"no connection":     {kith.Unreachable("postgres", io.EOF), true},
		"no answer in time": {fmt.Errorf("producer timed out after 10s: %w", context.DeadlineExceeded), true},
		"something else":    {errors.New("a defect"), false},
		"the server stops":  {context.Canceled, false},
	} {
		if got := isTransient(tt.err); got != tt.away {
			t.Errorf("%s: %t", name, got)
		}
	}
}
