package http

import (
	"context"
	"fmt"
	"time"

	"kith"
	"kith/internal/auth"
)

// Quotas are what users may do in a day, in buckets that all servers take from.
type Quotas interface {
	// TakeAll takes n out of the bucket of a key, which gains rate a second up to burst,
	// or nothing where it holds less. It returns what is left.
	TakeAll(ctx context.Context, key [32]byte, n int, rate float64, burst int) (ok bool, left float64, err error)
}

// day is what a quota is for.
const day = 24 * time.Hour

// mayImport refuses an import of n entries that exceeds the quota of the user.
func (s *Server) mayImport(ctx context.Context, c caller, n int) error {
	quota := s.cfg.ImportQuota
	if s.cfg.Quotas == nil || quota == 0 || n == 0 {
		return nil
	}
	key := auth.HashOf(fmt.Sprintf("imports %s %d", c.directory.Name, c.actor.UserID))
	rate := float64(quota) / day.Seconds()
	ok, left, err := s.cfg.Quotas.TakeAll(ctx, key, n, rate, quota)
	if err != nil || ok {
		return err
	}
	s.metrics.limited.WithLabelValues("imports").Inc()
	wait := min(day, time.Duration((float64(n)-left)/rate*float64(time.Second)))
	return &kith.Error{
		Kind: kith.RateLimited, Code: "IMPORT_QUOTA", RetryAfter: wait,
		Detail: fmt.Sprintf("a user may import %d relationships in 24 hours, and %d can be imported now; wait, or import fewer", quota, int(left)),
	}
}
