package http

import (
	"context"
	"fmt"
	"time"

	"kith"
	"kith/internal/access/auth"
)

// Quotas are daily limits for users, in buckets that all servers share.
type Quotas interface {
	// TakeAll takes n from the bucket of a key, or nothing if it has less. The bucket gains rate a
	// second up to burst. It returns the rest.
	TakeAll(ctx context.Context, key [32]byte, n int, rate float64, burst int) (ok bool, left float64, err error)
}

// day is the period of quotas.
const day = 24 * time.Hour

// ImportQuota limits the relationships that a user may import in a day, individually and in files.
// The zero value is no limit.
type ImportQuota struct {
	quotas  Quotas
	most    int
	dataset string
}

// NewImportQuota returns the quota for the users of a dataset. There is no limit if most is 0 or quotas is nil.
func NewImportQuota(quotas Quotas, most int, dataset string) ImportQuota {
	return ImportQuota{quotas, most, dataset}
}

// Take returns an error if n more relationships exceed a user's quota.
func (q ImportQuota) Take(ctx context.Context, user int64, n int) error {
	if q.quotas == nil || q.most == 0 || n == 0 {
		return nil
	}
	key := auth.HashOf(fmt.Sprintf("imports %s %d", q.dataset, user))
	rate := float64(q.most) / day.Seconds()
	ok, left, err := q.quotas.TakeAll(ctx, key, n, rate, q.most)
	if err != nil || ok {
		return err
	}
	wait := min(day, time.Duration((float64(n)-left)/rate*float64(time.Second)))
	return &kith.Error{
		Kind: kith.RateLimited, Code: "IMPORT_QUOTA", RetryAfter: wait,
		Detail: fmt.Sprintf("a user may import %d relationships in 24 hours, and %d can be imported now; wait, or "+
			"import "+
			"fewer", q.most, int(left)),
	}
}

// mayImport returns an error if an import of n entries exceeds the user's quota.
func (s *Server) mayImport(ctx context.Context, c caller, n int) error {
	err := NewImportQuota(s.cfg.Quotas, s.cfg.ImportQuota, c.dataset.Name).Take(ctx, c.actor.UserID, n)
	if kith.KindOf(err) == kith.RateLimited {
		s.metrics.limited.WithLabelValues("imports").Inc()
	}
	return err
}
