package refresh

import (
	"context"
	"errors"
	"time"

	"kith"
	"kith/internal/jobs"
)

// Payload is the payload of a job of [Kind].
type Payload struct {
	URL string `json:"url"`
}

// Kinds returns the jobs of this package: refreshing one person, and periodic work. A process without a source leaves
// refreshes to others.
func (s *Service) Kinds() []jobs.Kind {
	kinds := []jobs.Kind{
		{Name: Kind, Work: s.work, Elsewhere: s.Source == nil},
		{Name: "refresh_tidy", Every: time.Hour, Attempts: 1, Work: func(ctx context.Context, _ jobs.Task) error {
			return errors.Join(s.giveUp(ctx), s.Tickets.Tidy(ctx, s.Now().Add(-Lifetime)))
		}},
	}
	if s.Stale > 0 && s.Source != nil {
		kinds = append(kinds, jobs.Kind{
			Name: "refresh_stale", Every: staleEvery, Attempts: 1,
			Work: func(ctx context.Context, _ jobs.Task) error {
				_, err := s.Tickets.QueueStale(ctx, s.Now().Add(-s.Stale), staleBatch)
				return err
			},
		})
	}
	return kinds
}

// Unserved is how long a refresh waits for a process with a source.
const Unserved = 24 * time.Hour

// giveUp fails refresh jobs that no worker with a source has claimed. Processes with a source leave them to be worked
// on.
func (s *Service) giveUp(ctx context.Context) error {
	if s.Source != nil {
		return nil
	}
	n, err := s.Tickets.GiveUp(ctx, Unserved,
		jobs.Failure{Code: CodeNoSource, Message: "no process with a source of fresh data was there for a day"})
	if n > 0 {
		s.Logger.Warn().Int("jobs", n).Str("code",
			CodeNoSource).Msg("refreshes were given up: no process with a source was there for a day")
	}
	return err
}

// A schedule refreshes at most some 1,800 people an hour, so that a source is not asked about a whole dataset at once.
const (
	staleEvery = 10 * time.Minute
	staleBatch = 300
)

// work refreshes one person. It is idempotent.
func (s *Service) work(ctx context.Context, t jobs.Task) error {
	var p Payload
	if err := t.Decode(&p); err != nil {
		return err
	}
	return failureOf(s.fetch(ctx, p.URL))
}

// failureOf says whether to retry a failed refresh.
func failureOf(err error) error {
	e, ok := errors.AsType[*kith.Error](err)
	if !ok {
		return err
	}
	f := &jobs.Failure{Code: e.Code, Message: e.Detail, Cause: err}
	switch e.Kind {
	case kith.RateLimited:
		f.Again, f.After = true, max(e.RetryAfter, time.Second)
	case kith.Unavailable, kith.Timeout:
		f.Again, f.After = true, e.RetryAfter
	default:
		f.Again = e.Kind == kith.Internal
	}
	return f
}
