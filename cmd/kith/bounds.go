package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"kith/internal/operation/tasks"
)

// flagBounds collects flags with invalid values. They are rejected, because silently using
// a default would hide the mistake.
type flagBounds struct{ problems []string }

// positive requires a flag to be greater than zero.
func positive[T int | float64 | time.Duration](b *flagBounds, flag string, v T) {
	if cmp.Compare(v, 0) <= 0 { // NaN is less than any number
		b.problems = append(b.problems, fmt.Sprintf("%s must be more than 0 (got %v)", flag, v))
	}
}

// checkRange requires a flag to be in a range.
func checkRange[T cmp.Ordered](b *flagBounds, flag string, v, least, most T) {
	if v < least || v > most {
		b.problems = append(b.problems, fmt.Sprintf("%s must be between %v and %v (got %v)", flag, least, most, v))
	}
}

// checkLimit checks the flag --limit of a list.
func checkLimit(limit int) error {
	var b flagBounds
	checkRange(&b, "--limit", limit, 1, 10_000)
	return b.err()
}

func (b *flagBounds) err() error {
	if len(b.problems) == 0 {
		return nil
	}
	return usageError(errors.New(strings.Join(b.problems, "; ")))
}

func (c *serveCmd) checkBounds() error {
	var b flagBounds
	positive(&b, "--token-ttl", c.TokenTTL)
	positive(&b, "--rate", c.Rate)
	positive(&b, "--burst", c.Burst)
	checkRange(&b, "--import-quota", c.ImportQuota, 0, 1_000_000_000)
	checkRange(&b, "--list-quota", c.ListQuota, 0, 1_000_000)
	checkRange(&b, "--search-quota", c.SearchQuota, 0, 1_000_000)
	positive(&b, "--count-cap", c.CountCap)
	positive(&b, "--stream-write-timeout", c.StreamWriteTimeout)
	positive(&b, "--refresh-timeout", c.RefreshTimeout)
	checkRange(&b, "--job-workers", c.JobWorkers, 1, tasks.MaxWorkers)
	positive(&b, "--grace", c.Grace)
	return b.err()
}
