package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"kith"
)

// A Postgres that is away, or too busy to answer in time, when a server begins to
// work on jobs is waited for: the server does not end.
func TestWhatIsWaitedFor(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		away bool
	}{
		"nobody answers":     {kith.Away("postgres", io.EOF), true},
		"no answer in time":  {fmt.Errorf("producer timed out after 10s: %w", context.DeadlineExceeded), true},
		"something else":     {errors.New("a defect"), false},
		"the server is told": {context.Canceled, false},
	} {
		if got := away(tt.err); got != tt.away {
			t.Errorf("%s: %t", name, got)
		}
	}
}
