package search

import (
	"context"
	"sync"
	"time"
)

// ranking remembers the rank epoch for a moment, so that the first pages of
// many searches ask for it once.
//
// It serves first pages only, which seal the epoch into their cursors. There an
// epoch of before is safe, however many processes share the directory: people
// were ranked anew since, and the cursor is refused when it comes back, because
// a cursor is always compared with the epoch as it is then. It is even the safer
// side to err on: the dangerous cursor would be one with a new epoch and a place
// in the old order. What it costs is that a walk which begins within
// [epochFresh] of a ranking in another process has to begin again; in this
// process the comparison that refused the first cursor has brought the epoch up
// to date.
type ranking struct {
	mu    sync.Mutex
	epoch int64
	until time.Time
}

// epochFresh is how old a remembered epoch may be.
const epochFresh = time.Second

// at gives the epoch of a first page that begins now: the remembered one, or
// what is asked for, beside the page.
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

// note remembers an epoch that was asked for at a time.
func (k *ranking) note(asked time.Time, epoch int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if until := asked.Add(epochFresh); !until.Before(k.until) {
		k.epoch, k.until = epoch, until
	}
}

// rankEpoch asks for the epoch as it is, and remembers it.
func (s *Service) rankEpoch(ctx context.Context) (int64, error) {
	asked := s.cfg.Now()
	epoch, err := s.cfg.Settings.RankEpoch(ctx)
	if err == nil {
		s.ranking.note(asked, epoch)
	}
	return epoch, err
}
