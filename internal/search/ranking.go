package search

import (
	"context"
	"sync"
	"time"
)

// ranking caches the rank epoch for [epochFresh], so that the first pages of many searches ask for it once.
//
// It serves first pages only, which seal the epoch into their cursors. A stale epoch is safe there: if people were
// ranked anew since, the returning cursor is refused, because every cursor is compared with the current epoch. A cursor
// with a new epoch and a position in the old order would be dangerous. The cost: a walk that begins within [epochFresh]
// of a ranking in another process has to begin again. In this process, the comparison that refused the first cursor has
// updated the cache.
type ranking struct {
	mu    sync.Mutex
	epoch int64
	until time.Time
}

// epochFresh is how long an epoch is cached.
const epochFresh = time.Second

// at returns the epoch for a first page that begins now: the cached one, or else the answer of ask, which runs
// concurrently with the page.
func (k *ranking) at(now time.Time, ask func() func() (int64, error)) func() (int64, error) {
	k.mu.Lock()
	epoch, fresh := k.epoch, now.Before(k.until)
	k.mu.Unlock()
	if fresh {
		return func() (int64, error) { return epoch, nil }
	}
	answer := ask()
	return sync.OnceValues(func() (int64, error) {
		epoch, err := answer()
		if err == nil {
			k.note(now, epoch)
		}
		return epoch, err
	})
}

// note caches an epoch that was read at the given time.
func (k *ranking) note(asked time.Time, epoch int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if until := asked.Add(epochFresh); !until.Before(k.until) {
		k.epoch, k.until = epoch, until
	}
}

// rankEpoch reads the current epoch and caches it.
func (s *Service) rankEpoch(ctx context.Context) (int64, error) {
	asked := s.cfg.Now()
	epoch, err := s.cfg.Settings.RankEpoch(ctx)
	if err == nil {
		s.ranking.note(asked, epoch)
	}
	return epoch, err
}
