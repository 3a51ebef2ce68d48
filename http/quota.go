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

// ImportQuota is how many relationships a user may import in a day, one by one and in
// files. The zero value lets all pass.
type ImportQuota struct {
	quotas    Quotas
	most      int
	directory string
}

// NewImportQuota returns the quota of the users of a directory; most 0 or nil quotas are no
// limit.
func NewImportQuota(quotas Quotas, most int, directory string) ImportQuota {
	return ImportQuota{quotas, most, directory}
}

// Take refuses n relationships that exceed the quota of a user.
func (q ImportQuota) Take(ctx context.Context, user int64, n int) error {
	if q.quotas == nil || q.most == 0 || n == 0 {
		return nil
	}
	key := auth.HashOf(fmt.Sprintf("imports %s %d", q.directory, user))
	rate := float64(q.most) / day.Seconds()
	ok, left, err := q.quotas.TakeAll(ctx, key, n, rate, q.most)
	if err != nil || ok {
		return err
	}
	wait := min(day, time.Duration((float64(n)-left)/rate*float64(time.Second)))
	return &kith.Error{
		Kind: kith.RateLimited, Code: "IMPORT_QUOTA", RetryAfter: wait,
		Detail: fmt.Sprintf("a user may import %d relationships in 24 hours, and %d can be imported now; wait, or import "+
			"fewer", q.most, int(left)),
	}
}

// mayImport refuses an import of n entries that exceeds the quota of the user.
func (s *Server) mayImport(ctx context.Context, c caller, n int) error {
	err := NewImportQuota(s.cfg.Quotas, s.cfg.ImportQuota, c.directory.Name).Take(ctx, c.actor.UserID, n)
	if kith.KindOf(err) == kith.RateLimited {
		s.metrics.limited.WithLabelValues("imports").Inc()
	}
	return err
}
