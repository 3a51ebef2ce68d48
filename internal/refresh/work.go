package refresh

import (
	"context"
	"errors"
	"time"

	"kith"
	"kith/internal/jobs"
)

// Payload is what a job of [Kind] is queued with.
type Payload struct {
	URL string `json:"url"`
}

// Kinds are the jobs of this package: the refresh of one person, and what is to
// be done from time to time. Without a source refreshes are left to processes that
// have one.
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

// Unserved is how long a refresh waits for a process that has a source.
const Unserved = 24 * time.Hour

// giveUp ends refreshes that nobody comes for. Whoever has a source comes for them.
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

// How many people a schedule refreshes: some 1,700 an hour at most, so that a
// source is not asked about all of a directory at once.
const (
	staleEvery = 10 * time.Minute
	staleBatch = 300
)

// work refreshes one person. Doing it twice does what doing it once does.
func (s *Service) work(ctx context.Context, t jobs.Task) error {
	var p Payload
	if err := t.Decode(&p); err != nil {
		return err
	}
	return failureOf(s.fetch(ctx, p.URL))
}

// failureOf says whether a refresh that failed is worth another attempt.
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
